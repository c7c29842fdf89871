/**
 * Contacts in Zoho CRM: found by our id where the mapping has a field for it, else by the number in any notation, else by the e-mail address; changed or
 * created. The search lags by some seconds; an address that is taken is therefore a change of who has it.
 */
import { Effect, Schema } from "effect"
import { AppFailure, type AppSession } from "../../domain/apps/AppAdapter.ts"
import { type CrmFields, crmFields } from "../../domain/apps/adapters/CrmFields.ts"
import { makeUpsertContact } from "../../domain/apps/adapters/UpsertContact.ts"
import { mappingOf } from "../../domain/apps/FieldMapping.ts"
import { isWritten, notationsOf } from "../../domain/basics/Phone.ts"
import type { Contact } from "../../domain/people/contacts/Contact.ts"
import { askZoho, isEmpty, readZoho, savedBy } from "./ZohoRequests.ts"
import { tagField } from "./ZohoTags.ts"

const Written = Schema.optionalKey(Schema.NullOr(Schema.String))
const Found = Schema.Struct({
  data: Schema.Array(Schema.Struct({ id: Schema.String, Mobile: Written, Phone: Written, Other_Phone: Written }))
})
type FoundContact = (typeof Found.Type)["data"][number]

/** Where our fields go without a mapping of the organization. A name fills `First_Name` and `Last_Name`. */
const ownMapping = { phone: "Mobile", email: "Email" } as const
const root = "/Contacts"

/**
 * The fields of a contact, under Zoho's names, but for the tags of Zoho; another field gets ours with semicolons between them. A name of one word is a last
 * name: Zoho has no contact without one.
 */
export const zohoFields = (contact: Contact, setting: AppSession["settings"][string] | undefined): CrmFields => {
  const mapping = mappingOf(setting, ownMapping)
  const fields = crmFields(contact, mapping, (first, rest) =>
    rest === "" ? { First_Name: null, Last_Name: first } : { First_Name: first, Last_Name: rest }
  )
  return mapping.tags === undefined || mapping.tags === tagField
    ? fields
    : { ...fields, [mapping.tags]: contact.tags.join(";") }
}

const search = Effect.fnUntraced(function* (session: AppSession, query: Readonly<Record<string, string>>) {
  const asked = new URLSearchParams({ ...query, fields: "Mobile,Phone,Other_Phone", per_page: "20" })
  const answer = yield* askZoho(session, { method: "GET", path: `${root}/search?${asked}` })
  return isEmpty(answer) ? [] : (yield* readZoho(Found, answer)).data
})

/** Zoho compares the texts of numbers: first as we write it, then its digits without the country code. */
const byPhone = Effect.fnUntraced(function* (session: AppSession, phone: string) {
  const matches = ({ Mobile, Phone, Other_Phone }: FoundContact) =>
    [Mobile, Phone, Other_Phone].some((text) => text != null && isWritten(text, phone))
  for (const written of [phone, notationsOf(phone).at(-1) ?? phone]) {
    const found = (yield* search(session, { phone: written })).find(matches)
    if (found !== undefined) return found.id
  }
  return undefined
})

/** Signs that mean something in criteria. */
const escaped = (text: string) => text.replace(/[\\(),:]/g, (sign) => `\\${sign}`)

const find = Effect.fnUntraced(function* (session: AppSession, { id, phone, email }: Contact) {
  const field = mappingOf(session.settings.mapping, ownMapping).id
  const known =
    field === undefined
      ? undefined
      : (yield* search(session, { criteria: `(${escaped(field)}:equals:${escaped(id)})` })).at(0)?.id
  const found = known ?? (phone === null ? undefined : yield* byPhone(session, phone))
  return found ?? (email === null ? undefined : (yield* search(session, { email })).at(0)?.id)
})

/** Changes the record with this id; undefined when Zoho has it no more. */
const change = Effect.fnUntraced(function* (session: AppSession, id: string, fields: CrmFields) {
  const body = { data: [fields], trigger: [] }
  const saved = yield* savedBy(
    yield* askZoho(session, { method: "PUT", path: `${root}/${encodeURIComponent(id)}`, body })
  )
  if (saved.gone) return undefined
  if (saved.id !== undefined) return saved.id
  return yield* new AppFailure({
    action: "give_up",
    message: "Another contact in Zoho has the same unique value: merge the two there."
  })
})

/** Creates the record. Who has its address already, or another unique value, is changed. */
const create = Effect.fnUntraced(function* (session: AppSession, given: CrmFields, { name, phone }: Contact) {
  const { Last_Name = name ?? phone ?? "Unknown" } = given
  const data = [{ ...given, Last_Name }]
  // Only the address is unique in every account.
  const asked =
    given.Email === undefined
      ? { path: root, body: { data, trigger: [] } }
      : { path: `${root}/upsert`, body: { data, duplicate_check_fields: ["Email"], trigger: [] } }
  const answer = yield* askZoho(session, { method: "POST", ...asked })
  const saved = yield* savedBy(answer)
  if (saved.id !== undefined) return saved.id
  const changed = saved.duplicate === undefined ? undefined : yield* change(session, saved.duplicate, given)
  return (
    changed ??
    (yield* new AppFailure({ action: "retry", message: "Zoho has such a contact already, and does not say which." }))
  )
})

/** The contact in Zoho CRM as it is here. */
export const upsertZohoContact = makeUpsertContact({ find, change, create })
