/**
 * Contacts in HubSpot: found by the id that we know, else by the number in any notation, else by the e-mail address; changed or created. The search of
 * HubSpot lags by some seconds; an address that is taken is therefore a change of who has it.
 */
import { Effect, Schema } from "effect"
import type { AppSession } from "../../domain/apps/AppAdapter.ts"
import { crmFields } from "../../domain/apps/adapters/CrmFields.ts"
import { makeUpsertContact } from "../../domain/apps/adapters/UpsertContact.ts"
import { mappingOf } from "../../domain/apps/FieldMapping.ts"
import { writtenForms } from "../../domain/basics/Phone.ts"
import type { Contact } from "../../domain/people/contacts/Contact.ts"
import { askHubSpot, hubSpotRefusal, readHubSpot } from "./HubSpotRequests.ts"

const Named = Schema.Struct({ id: Schema.String })
const Found = Schema.Struct({ results: Schema.Array(Named) })

/** Where our fields go without a mapping of the organization. A name fills `firstname` and `lastname`. */
const ownMapping = { phone: "phone", email: "email" } as const
/** HubSpot searches for at most so many groups of filters at once. */
const mostGroups = 5

/** The properties of a contact, under HubSpot's names. HubSpot takes all values as text. */
export const propertiesOf = (contact: Contact, setting: AppSession["settings"][string] | undefined) => {
  const fields = crmFields(contact, mappingOf(setting, ownMapping), (firstname, lastname) => ({ firstname, lastname }))
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
}

const root = "/crm/v3/objects/contacts"

/** Notations of a number that people write into a CRM. */
const spellings = (phone: string) => writtenForms(phone).flatMap((form) => [form, form.slice(1)])

export const makeContacts = (baseUrl: string) => {
  const search = Effect.fnUntraced(function* (session: AppSession, phone: string) {
    const filterGroups = ["phone", "mobilephone"]
      .flatMap((propertyName) =>
        spellings(phone).map((value) => ({ filters: [{ propertyName, operator: "EQ", value }] }))
      )
      .slice(0, mostGroups)
    const body = { filterGroups, properties: ["email"], limit: 1 }
    const answer = yield* askHubSpot(baseUrl, session, { method: "POST", path: `${root}/search`, body })
    const { results } = yield* readHubSpot(Found, answer)
    return results.at(0)?.id
  })

  const byEmail = Effect.fnUntraced(function* (session: AppSession, email: string) {
    const path = `${root}/${encodeURIComponent(email)}?idProperty=email`
    const answer = yield* askHubSpot(baseUrl, session, { method: "GET", path })
    return answer.status === 404 ? undefined : (yield* readHubSpot(Named, answer)).id
  })

  const find = Effect.fnUntraced(function* (session: AppSession, { phone, email }: Contact) {
    const byPhone = phone === null ? undefined : yield* search(session, phone)
    if (byPhone !== undefined || email === null) return byPhone
    return yield* byEmail(session, email)
  })

  /** Changes the contact with this id; undefined when HubSpot has it no more. */
  const change = Effect.fnUntraced(function* (session: AppSession, id: string, properties: object) {
    const path = `${root}/${encodeURIComponent(id)}`
    const answer = yield* askHubSpot(baseUrl, session, { method: "PATCH", path, body: { properties } })
    return answer.status === 404 ? undefined : (yield* readHubSpot(Named, answer)).id
  })

  /** Creates the contact. HubSpot names who has its address already: that one is changed. */
  const create = Effect.fnUntraced(function* (session: AppSession, properties: object) {
    const answer = yield* askHubSpot(baseUrl, session, { method: "POST", path: root, body: { properties } })
    const existing =
      answer.status === 409 ? /Existing ID: (\d+)/.exec(hubSpotRefusal(answer).message ?? "")?.[1] : undefined
    const changed = existing === undefined ? undefined : yield* change(session, existing, properties)
    return changed ?? (yield* readHubSpot(Named, answer)).id
  })

  return makeUpsertContact({ find, change, create })
}
