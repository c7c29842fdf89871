/** Built-in tool: the companies that the contact belongs to. */
import { Effect } from "effect"
import type { BuiltinTool } from "../../ai/tools/BuiltinTools.ts"
import { toolFailed } from "../../ai/tools/ToolRunner.ts"
import { Companies, type Company } from "../companies/Company.ts"

const most = 5

const told = ({ name, domain, phone, email, address, customFields }: Company) => ({
  name,
  domain,
  phone,
  email,
  address,
  ...customFields
})

export const makeCompanyTool = Effect.map(
  Companies,
  (companies): BuiltinTool => ({
    spec: {
      name: "company_of_contact",
      description: "Look up the company, school or club that the person you talk with belongs to.",
      parameters: { type: "object", properties: {} }
    },
    agents: ["voice", "text"],
    run: Effect.fnUntraced(function* ({ organizationId, contactId }) {
      if (contactId === null) return toolFailed("It is not known who this is.")
      const filter = { archived: false, sort: "-createdAt", fields: { contactId } } as const
      const { data } = yield* companies.list(organizationId, filter, { page: 1, limit: most })
      return data.length === 0
        ? toolFailed("This person belongs to no company that is known.")
        : { outcome: "ok", result: JSON.stringify({ companies: data.map(told) }) }
    })
  })
)
