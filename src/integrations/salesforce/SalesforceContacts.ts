/**
 * Contacts in Salesforce: found by our id in the organization's external-id field, else by the number in any notation, else by the e-mail address;
 * changed or created. Queries (SOQL) see everything at once but compare texts; the search (SOSL) knows notations and lags.
 */
import { Effect, Schema } from "effect"
import type { AppAnswer, AppSession } from "../../domain/apps/AppAdapter.ts"
import { type CrmFields, crmFields } from "../../domain/apps/adapters/CrmFields.ts"
import { makeUpsertContact } from "../../domain/apps/adapters/UpsertContact.ts"
import { mappingOf } from "../../domain/apps/FieldMapping.ts"
import { isOk } from "../../domain/apps/StatusFailure.ts"
import { isWritten, notationsOf } from "../../domain/basics/Phone.ts"
import type { Contact } from "../../domain/people/contacts/Contact.ts"
import { askSalesforce, queryPath, quoted, readSalesforce, salesforceRefusal } from "./SalesforceRequests.ts"

const Named = Schema.Struct({ Id: Schema.String })
const Found = Schema.Struct({ records: Schema.Array(Named) })
const Saved = Schema.Struct({ id: Schema.String })
const Several = Schema.fromJsonString(Schema.NonEmptyArray(Schema.String))
const Searched = Schema.Struct({
  searchRecords: Schema.Array(
    Schema.Struct({
      Id: Schema.String,
      Phone: Schema.optionalKey(Schema.NullOr(Schema.String)),
      MobilePhone: Schema.optionalKey(Schema.NullOr(Schema.String))
    })
  )
})

/** Where our fields go without a mapping of the organization. A name fills `FirstName` and `LastName`. */
const ownMapping = { phone: "MobilePhone", email: "Email" } as const
const root = "/sobjects/Contact"
/** Saves although a rule that only warns finds duplicates. */
const allowSave = { "sforce-duplicate-rule-header": "allowSave=true" }

/** The organization's field that holds our id, if it has one. */
const externalField = ({ settings }: AppSession): string | undefined =>
  typeof settings.externalIdField === "string" && settings.externalIdField !== "" ? settings.externalIdField : undefined

/** The fields of a contact, under Salesforce's names. A name of one word is a last name: Salesforce has no contact without one. */
export const salesforceFields = (contact: Contact, setting: AppSession["settings"][string] | undefined): CrmFields =>
  crmFields(contact, mappingOf(setting, ownMapping), (first, rest) =>
    rest === "" ? { FirstName: null, LastName: first } : { FirstName: first, LastName: rest }
  )

const pathOf = (id: string) => `${root}/${encodeURIComponent(id)}`

/** The record that a rule or a unique field found, when the refusal names it. */
const duplicateOf = (answer: AppAnswer): string | undefined => {
  const { errorCode, message = "", duplicateResult } = salesforceRefusal(answer)
  if (errorCode === "DUPLICATE_VALUE") return /record with id: (\w{15,18})/.exec(message)?.[1]
  if (errorCode !== "DUPLICATES_DETECTED") return undefined
  return duplicateResult?.matchResults
    ?.filter(({ entityType }) => entityType === undefined || entityType === "Contact")
    .flatMap(({ matchRecords }) => matchRecords ?? [])
    .find(({ record }) => record !== undefined)?.record?.Id
}

const firstOf = Effect.fnUntraced(function* (session: AppSession, where: string) {
  const soql = `SELECT Id FROM Contact WHERE ${where} ORDER BY LastModifiedDate DESC LIMIT 1`
  const { records } = yield* readSalesforce(
    Found,
    yield* askSalesforce(session, { method: "GET", path: queryPath(soql) })
  )
  return records.at(0)?.Id
})

/** The record with our id; of several (300) the first. */
const byExternalId = Effect.fnUntraced(function* (session: AppSession, field: string, { id }: Contact) {
  const path = `${root}/${encodeURIComponent(field)}/${encodeURIComponent(id)}?fields=Id`
  const answer = yield* askSalesforce(session, { method: "GET", path })
  if (answer.status === 404) return undefined
  if (answer.status === 300) return severalOf(answer)
  return (yield* readSalesforce(Named, answer)).Id
})

/** The first of the records that an answer 300 lists by their addresses. */
const severalOf = ({ text }: AppAnswer): string | undefined => {
  const found = Schema.decodeUnknownOption(Several)(text)
  return found._tag === "Some" ? found.value[0].split("/").at(-1) : undefined
}

const byPhone = Effect.fnUntraced(function* (session: AppSession, phone: string) {
  const list = notationsOf(phone).map(quoted).join(", ")
  const written = yield* firstOf(session, `MobilePhone IN (${list}) OR Phone IN (${list})`)
  if (written !== undefined) return written
  const q = notationsOf(phone).at(-1) ?? phone
  const query = { q, sobject: "Contact", in: "PHONE", "Contact.fields": "Id,Phone,MobilePhone", "Contact.limit": "20" }
  const path = `/parameterizedSearch?${new URLSearchParams(query)}`
  const { searchRecords } = yield* readSalesforce(Searched, yield* askSalesforce(session, { method: "GET", path }))
  return searchRecords.find(({ Phone, MobilePhone }) =>
    [MobilePhone, Phone].some((text) => text != null && isWritten(text, phone))
  )?.Id
})

const find = Effect.fnUntraced(function* (session: AppSession, contact: Contact) {
  const field = externalField(session)
  const { phone, email } = contact
  const known = field === undefined ? undefined : yield* byExternalId(session, field, contact)
  const found = known ?? (phone === null ? undefined : yield* byPhone(session, phone))
  return found ?? (email === null ? undefined : yield* firstOf(session, `Email = ${quoted(email)}`))
})

/** Changes the record with this id; undefined when Salesforce has it no more. A rule against duplicates does not hold up a change. */
const change = Effect.fnUntraced(function* (session: AppSession, id: string, body: CrmFields) {
  const asked = { method: "PATCH", path: pathOf(id), body } as const
  const first = yield* askSalesforce(session, asked)
  const answer =
    salesforceRefusal(first).errorCode === "DUPLICATES_DETECTED"
      ? yield* askSalesforce(session, { ...asked, headers: allowSave })
      : first
  if (answer.status === 404) return undefined
  if (!isOk(answer)) return yield* readSalesforce(Schema.Never, answer)
  return id
})

/** Creates the record. What Salesforce has already (a duplicate, or several with our id) is changed instead. */
const create = Effect.fnUntraced(function* (session: AppSession, given: CrmFields, contact: Contact) {
  const field = externalField(session)
  const { name, phone } = contact
  const body = { ...given, ...(given.LastName === undefined ? { LastName: name ?? phone ?? "Unknown" } : {}) }
  const asked =
    field === undefined
      ? ({ method: "POST", path: root, body } as const)
      : ({
          method: "PATCH",
          path: `${root}/${encodeURIComponent(field)}/${encodeURIComponent(contact.id)}`,
          body
        } as const)
  const answer = yield* askSalesforce(session, asked)
  const existing = answer.status === 300 ? severalOf(answer) : duplicateOf(answer)
  const changed = existing === undefined ? undefined : yield* change(session, existing, given)
  if (changed !== undefined) return changed
  const warned = salesforceRefusal(answer).errorCode === "DUPLICATES_DETECTED"
  return (yield* readSalesforce(
    Saved,
    warned ? yield* askSalesforce(session, { ...asked, headers: allowSave }) : answer
  )).id
})

/** The contact in Salesforce as it is here. */
export const upsertSalesforceContact = makeUpsertContact({ find, change, create })
