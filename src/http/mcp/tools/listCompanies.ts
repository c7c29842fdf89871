import { Effect } from "effect"
import { z } from "zod"
import { Companies, type Company } from "../../../domain/business/companies/Company.ts"
import { makeManageRecords } from "../../../domain/business/records/ManageRecords.ts"
import * as arg from "../protocol/arg.ts"
import { defineTool } from "../protocol/Tool.ts"
import { clip, listed, listOutput } from "../protocol/ToolAnswer.ts"
import { archivedRecords, fetchRecords, ofModules } from "./moduleRecords.ts"

const row = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  address: z.string().nullable().describe("In one line."),
  notes: z.string().nullable().describe("Cut at 300 characters."),
  contactIds: z.array(z.string()).describe("The contacts who belong to it; 20 at most are shown.")
})

const rowOf = ({ id, name, domain, phone, email, address, notes, contactIds }: Company): z.infer<typeof row> => ({
  ...{ id, name, domain, phone, email },
  address: address === null ? null : clip(address, 200),
  notes: notes === null ? null : clip(notes, 300),
  contactIds: contactIds.slice(0, 20)
})

export const listCompanies = Effect.gen(function* () {
  const fetch = fetchRecords({
    module: "companies",
    list: (yield* makeManageRecords("companies", yield* Companies)).list
  })
  return defineTool({
    ...ofModules,
    name: "list_companies",
    title: "List companies",
    description:
      "Finds the firms, schools and clubs that contacts belong to, newest first. Use it to see the company of a contact, or who belongs to a company. " +
      'What a company ordered is in list_orders. Example: {"contactId": "cnt_01KAJ3…"}',
    input: z.strictObject({
      search: arg.text(200, "Words of the name, the domain, the phone number or the e-mail address.").optional(),
      contactId: arg.id("Only companies that this contact belongs to, cnt_….").optional(),
      archived: archivedRecords,
      limit: arg.limit,
      cursor: arg.cursor,
      fields: arg.fields(["name", "domain", "phone", "email", "address", "notes", "contactIds"])
    }),
    output: listOutput(row),
    run: (args, { principal: { organizationId } }) =>
      listed({
        asked: { tool: "list_companies", args },
        fetch: fetch(organizationId, args, { contactId: args.contactId }),
        row: rowOf,
        line: ({ id, name, domain, phone, email, contactIds }) =>
          [id, name, domain, phone, email, contactIds.length === 0 ? null : `contacts ${contactIds.join(", ")}`]
            .filter((part) => part !== null)
            .join(" · "),
        none: "No company matches."
      })
  })
})
