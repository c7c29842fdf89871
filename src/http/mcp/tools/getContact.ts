import { Effect } from "effect"
import { z } from "zod"
import { Contacts } from "../../../domain/people/contacts/Contact.ts"
import { noSuchContact } from "../../handlers/people/contacts.ts"
import * as arg from "../protocol/arg.ts"
import { defineTool } from "../protocol/Tool.ts"
import { refusalOf } from "../protocol/ToolRefusal.ts"

const output = z.object({
  id: z.string(),
  name: z.string().nullable(),
  phone: z.string().nullable().describe("E.164"),
  email: z.string().nullable(),
  tags: z.array(z.string()),
  optedIn: z.boolean(),
  archivedAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string()
})

export const getContact = Effect.map(Contacts, (contacts) =>
  defineTool({
    name: "get_contact",
    title: "Get a contact",
    description:
      "Gives one contact with all its tags, also an archived one. Use it when you have the id; find the id with list_contacts. " +
      'Example: {"contactId": "cnt_01KAJ3…"}',
    toolset: "contacts",
    kind: "reads",
    scope: "contacts:read",
    input: z.strictObject({ contactId: arg.id("The id of the contact, cnt_….") }),
    output,
    run: Effect.fnUntraced(function* ({ contactId }, { principal: { organizationId } }) {
      const found = yield* contacts.find(organizationId, contactId)
      if (found === undefined) return yield* refusalOf(noSuchContact(), "Find the id with list_contacts.")
      const { id, name, phone, email, tags, optedIn, archivedAt, createdAt, updatedAt } = found
      const structured = { id, name, phone, email, tags: [...tags], optedIn, archivedAt, createdAt, updatedAt }
      const state = `${optedIn ? "opted in" : "not opted in"}${archivedAt === null ? "" : `, archived ${archivedAt}`}`
      const text = `${id} · ${name ?? "(no name)"} · ${phone ?? "(no number)"} · ${email ?? "(no e-mail)"}\nTags: ${
        tags.join(", ") || "none"
      }. ${state}. Created ${createdAt}.`
      return { structured, text }
    })
  })
)
