/** Zoho CRM. Connected by OAuth, when the operator has a client there. */
import { Effect, Schema } from "effect"
import type { AppAdapter } from "../../domain/apps/AppAdapter.ts"
import { dailyPaceMs } from "../../domain/apps/adapters/DailyPace.ts"
import type { AppClient } from "../../domain/apps/adapters/TokenEndpoint.ts"
import { linkOf } from "../../domain/apps/adapters/UpsertContact.ts"
import { noteZohoConversation } from "./ZohoActivities.ts"
import { makeZohoAuthorization } from "./ZohoAuthorization.ts"
import { upsertZohoContact, zohoFields } from "./ZohoContacts.ts"
import { zohoDeal, zohoDealsOf } from "./ZohoDeals.ts"
import { askZoho, readZoho } from "./ZohoRequests.ts"
import { hasTags, tagField, tagZohoContact, zohoPull } from "./ZohoTags.ts"

export interface ZohoCrmOptions {
  /** Where people of all data centres begin: `https://accounts.zoho.com`. */
  readonly accountsUrl: string
  /** More accounts servers than Zoho's own. */
  readonly otherAccounts?: ReadonlyArray<string>
  /** The operator's client; absent: Zoho CRM cannot be connected. */
  readonly client?: AppClient
}

const Organization = Schema.Struct({
  org: Schema.NonEmptyArray(Schema.Struct({ id: Schema.String, company_name: Schema.String }))
})

const Fields = Schema.Struct({
  fields: Schema.Array(
    Schema.Struct({
      ...{ api_name: Schema.String, field_label: Schema.String, data_type: Schema.String },
      ...{ read_only: Schema.optionalKey(Schema.Boolean), field_read_only: Schema.optionalKey(Schema.Boolean) }
    })
  )
})

/** Credits of a day that the smallest edition has. Zoho tells what is left, not of how many. */
const fewestCredits = 5_000

export const make = ({ client, ...addresses }: ZohoCrmOptions): AppAdapter => ({
  ...(client === undefined ? {} : { oauth: makeZohoAuthorization(addresses, client) }),
  rate: { requests: 100, windowMs: 60_000 },
  atOnce: 3,
  problem: ({ credentials }) =>
    credentials.accessToken === undefined
      ? "Zoho CRM is connected by authorizing it: POST /api/integrations/zoho_crm/authorize."
      : undefined,
  identify: Effect.fnUntraced(function* (session) {
    const { org } = yield* readZoho(Organization, yield* askZoho(session, { method: "GET", path: "/org" }))
    return { id: org[0].id, name: org[0].company_name }
  }),
  push: Effect.fnUntraced(function* (session, { change, again, links }) {
    const { contact } = change
    const fields = zohoFields(contact, session.settings.mapping)
    const before = linkOf(links, "contact", contact.id)
    const plain = yield* upsertZohoContact(session, contact, fields, before)
    const person = hasTags(session.settings) ? yield* tagZohoContact(session, plain, before, contact.tags) : plain
    if (!("conversation" in change)) return [person]
    const known = linkOf(links, "conversation", change.conversation.id)
    return [person, yield* noteZohoConversation(session, change.conversation, person.remoteId, known, again)]
  }),
  fields: Effect.fnUntraced(function* (session) {
    const { fields } = yield* readZoho(
      Fields,
      yield* askZoho(session, { method: "GET", path: "/settings/fields?module=Contacts" })
    )
    return fields.map(({ api_name: name, field_label: label, data_type: type, read_only, field_read_only }) => ({
      ...{ name, label, type, writable: name === tagField || (read_only !== true && field_read_only !== true) }
    }))
  }),
  pull: zohoPull,
  deal: zohoDeal,
  dealsOf: zohoDealsOf,
  slowDown: (headers) => {
    const left = headers["x-api-credits-remaining"]
    return left === undefined ? undefined : dailyPaceMs(fewestCredits, Number(left))
  }
})
