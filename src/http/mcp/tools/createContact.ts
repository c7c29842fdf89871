import { Effect } from "effect"
import { z } from "zod"
import { callerId } from "../../../domain/people/access/Access.ts"
import { Contacts, NewContact } from "../../../domain/people/contacts/Contact.ts"
import { makeManageContacts } from "../../../domain/people/contacts/ManageContacts.ts"
import { duplicateSentence } from "../../handlers/people/contacts.ts"
import { Conflict } from "../../wire/Errors.ts"
import * as arg from "../protocol/arg.ts"
import { payloadOf } from "../protocol/RestPayload.ts"
import { defineTool } from "../protocol/Tool.ts"
import { asRefusal, refusalOf } from "../protocol/ToolRefusal.ts"

const read = payloadOf(NewContact)

export const createContact = Effect.gen(function* () {
  const contacts = yield* Contacts
  const manage = yield* makeManageContacts
  return defineTool({
    name: "create_contact",
    title: "Create a contact",
    description:
      "Adds a person by phone number. Do not use it before send_message: that creates the contact by itself. A number that is known is refused, and the " +
      "refusal names its contact. Set optedIn only when the person agreed to get messages. " +
      'Example: {"phone": "+14155550123", "name": "Asha Rao", "tags": ["book club"]}',
    toolset: "contacts",
    kind: "writes",
    scope: "contacts:write",
    input: z.strictObject({
      phone: arg.text(40, "The number with its country code, e.g. +14155550123."),
      name: arg.text(200, "Up to 200 characters.").optional(),
      email: arg.text(254, "An e-mail address.").optional(),
      tags: z.array(z.string().max(64)).max(50).optional().describe("Up to 50 tags of up to 64 characters."),
      optedIn: z.boolean().optional().describe("True only when the person agreed to get messages; false by default.")
    }),
    output: z.object({
      id: z.string(),
      phone: z.string().nullable(),
      name: z.string().nullable(),
      createdAt: z.string()
    }),
    run: Effect.fnUntraced(function* (args, { principal }) {
      const { organizationId } = principal
      const input = yield* asRefusal()(read(arg.defined(args)))
      const made = yield* manage
        .create(organizationId, input, callerId(principal))
        .pipe(
          Effect.catchTag("DuplicateContact", (known) =>
            Effect.flatMap(duplicateSentence(contacts, organizationId, known), (error) =>
              refusalOf(new Conflict({ error }), `Use that contact: get_contact with ${known.existingId}.`)
            )
          )
        )
      const { id, phone, name, createdAt } = made
      return {
        structured: { id, phone, name, createdAt },
        text: `Created ${id} · ${name ?? "(no name)"} · ${phone}`,
        subjectId: id
      }
    })
  })
})
