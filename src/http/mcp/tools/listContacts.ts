import { Effect } from "effect"
import { z } from "zod"
import { type Contact, Contacts } from "../../../domain/people/contacts/Contact.ts"
import { partOf, toList } from "../../wire/Listing.ts"
import * as arg from "../protocol/arg.ts"
import { defineTool } from "../protocol/Tool.ts"
import { after, clip, listed, listOutput } from "../protocol/ToolAnswer.ts"
import { asRefusal } from "../protocol/ToolRefusal.ts"

const row = z.object({
  id: z.string(),
  name: z.string().nullable(),
  phone: z.string().nullable().describe("E.164"),
  email: z.string().nullable(),
  tags: z.array(z.string()),
  optedIn: z.boolean().describe("Whether the contact wants messages. Templates are not sent to others."),
  createdAt: z.string()
})

const rowOf = ({ id, name, phone, email, tags, optedIn, createdAt }: Contact): z.infer<typeof row> => ({
  ...{ id, phone, email, optedIn, createdAt },
  name: name === null ? null : clip(name, 100),
  tags: tags.slice(0, 10)
})

export const listContacts = Effect.map(Contacts, (contacts) =>
  defineTool({
    name: "list_contacts",
    title: "List contacts",
    description:
      "Finds people the organization talks with, newest first. Use it to get the id of a contact from a name or a phone number. Do not use it to " +
      "read what somebody wrote: use list_conversations with the contact's id. A row shows at most 10 tags. " +
      'Example: {"search": "asha", "limit": 5}',
    toolset: "contacts",
    kind: "reads",
    scope: "contacts:read",
    input: z.strictObject({
      search: arg.text(200, "Any part of a name or a phone number, up to 200 characters.").optional(),
      tag: arg.text(64, "One whole tag, e.g. book club.").optional(),
      archived: z.boolean().optional().describe("True lists archived contacts instead."),
      limit: arg.limit,
      cursor: arg.cursor,
      fields: arg.fields(["name", "phone", "email", "tags", "optedIn", "createdAt"])
    }),
    output: listOutput(row),
    run: (args, { principal: { organizationId } }) =>
      listed({
        asked: { tool: "list_contacts", args },
        fetch: Effect.fnUntraced(function* (limit) {
          const part = yield* asRefusal()(partOf("contacts", arg.defined({ limit, cursor: args.cursor })))
          const { search = "", tag } = args
          const filter = {
            ...(search.trim() === "" ? {} : { search }),
            ...(tag === undefined ? {} : { tag: tag.trim() }),
            archived: args.archived ?? false
          }
          const { data, total, nextCursor } = toList(yield* contacts.list(organizationId, filter, part), part)
          return { data, total, next: after(nextCursor) }
        }),
        row: rowOf,
        line: ({ id, name, phone, email, tags, optedIn }) =>
          [id, name ?? "(no name)", phone ?? "(no number)", email, tags.length === 0 ? null : `[${tags.join(", ")}]`]
            .filter((part) => part !== null)
            .join(" · ") + (optedIn ? "" : " · not opted in"),
        none: "No contact matches."
      })
  })
)
