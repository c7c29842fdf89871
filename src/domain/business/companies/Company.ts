/** Companies: the firms, schools and clubs that contacts belong to. */
import { Context, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import type { Records } from "../records/ModuleRecord.ts"
import { newPartnerFields, PartnerName, partnerFields } from "../records/Partner.ts"

export const Company = Schema.Struct({
  ...partnerFields,
  /** The company's own domain, e.g. `example.com`. */
  domain: Schema.NullOr(Schema.String),
  /** The contacts who belong to it. */
  contactIds: Schema.Array(Schema.String)
}).annotate({
  title: "Company",
  examples: [
    {
      id: exampleIds.company,
      organizationId: exampleIds.organization,
      name: "Hill School",
      phone: "+14155550170",
      email: "office@hill.example.com",
      address: "1 Hill Road\nOakland",
      notes: null,
      domain: "hill.example.com",
      contactIds: [exampleIds.contact],
      customFields: {},
      source: null,
      archivedAt: null,
      createdAt: "2026-11-21T09:30:00.000Z",
      updatedAt: "2026-11-21T09:30:00.000Z"
    }
  ]
})
export type Company = typeof Company.Type

const Domain = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      (text.length <= 253 && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i.test(text)) ||
      "must be a domain, like example.com."
  )
)

const optional = {
  domain: Schema.optionalKey(Schema.NullOr(Domain)),
  contactIds: Schema.optionalKey(
    Schema.Array(Schema.String.check(Schema.isMaxLength(60))).check(Schema.isMaxLength(500))
  ),
  ...newPartnerFields
}

export const NewCompany = Schema.Struct({ name: PartnerName, ...optional }).annotate({
  title: "NewCompany",
  examples: [{ name: "Hill School", domain: "hill.example.com", email: "office@hill.example.com" }]
})
export type NewCompany = typeof NewCompany.Type

export const CompanyChanges = Schema.Struct({ name: Schema.optionalKey(PartnerName), ...optional }).annotate({
  title: "CompanyChanges",
  examples: [{ notes: "Orders each term." }]
})
export type CompanyChanges = typeof CompanyChanges.Type

export class Companies extends Context.Service<Companies, Records<Company, NewCompany, CompanyChanges>>()(
  "parley/domain/Companies"
) {}
