/** Companies in Postgres. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { Companies, Company, type CompanyChanges, type NewCompany } from "../../../domain/business/companies/Company.ts"
import { searchable } from "../../../domain/people/contacts/Contact.ts"
import { makeModuleRecords } from "./ModuleRecords.ts"
import type { FieldsOf, ModuleTable } from "./ModuleTable.ts"
import { partnerColumns, partnerOf } from "./PartnerRows.ts"
import { existing, sortedIds } from "./References.ts"

type Fields = FieldsOf<Company>

const fields = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  _organizationId: string,
  input: NewCompany | CompanyChanges,
  before: Company | undefined
) {
  const contactIds = sortedIds(input.contactIds ?? before?.contactIds)
  if (input.contactIds !== undefined) yield* existing(sql, "contacts", "contact", input.contactIds)
  const domain = input.domain === undefined ? (before?.domain ?? null) : (input.domain?.toLowerCase() ?? null)
  const made: Fields = { ...partnerOf(input, before), domain, contactIds }
  return made
})

const companies: ModuleTable<Company, NewCompany, CompanyChanges> = {
  module: "companies",
  prefix: "cmp",
  fields,
  columns: (_, company) => ({ ...partnerColumns(company), domain: company.domain }),
  unique: ({ name }) => ({ key: searchable(name), has: `the name ${name}` }),
  keyOf: searchable,
  adopts: true,
  texts: ({ name, domain, phone, email }) => [name, domain, phone, email],
  filters: {},
  links: {
    table: "company_contacts",
    own: "company_id",
    other: "contact_id",
    filter: "contactId",
    of: ({ contactIds }) => contactIds
  },
  read: ({ name, phone, email, address, notes, domain }, contactIds) => ({
    name,
    phone,
    email,
    address,
    notes,
    domain,
    contactIds
  })
}

export const layer = Layer.effect(Companies, makeModuleRecords(Company, companies))
