/** HubSpot CRM. Connected by the token of a private app, or by OAuth when the operator has an app there. */
import { Effect, Schema } from "effect"
import type { AppAdapter, AppAnswer } from "../../domain/apps/AppAdapter.ts"
import { dailyPaceMs } from "../../domain/apps/adapters/DailyPace.ts"
import { linkForTags } from "../../domain/apps/adapters/TagField.ts"
import type { AppClient } from "../../domain/apps/adapters/TokenEndpoint.ts"
import { linkOf } from "../../domain/apps/adapters/UpsertContact.ts"
import { makeActivities } from "./HubSpotActivities.ts"
import { makeHubSpotAuthorization } from "./HubSpotAuthorization.ts"
import { makeContacts, propertiesOf } from "./HubSpotContacts.ts"
import { makeHubSpotDeals, makeHubSpotDealsOf } from "./HubSpotDeals.ts"
import { askHubSpot, readHubSpot } from "./HubSpotRequests.ts"
import { makeHubSpotTags } from "./HubSpotTags.ts"

export interface HubSpotOptions {
  /** `https://api.hubapi.com`. */
  readonly baseUrl: string
  /** Where a person agrees: `https://app.hubspot.com/oauth/authorize`. */
  readonly authorizeUrl: string
  /** The operator's app; absent: only tokens of private apps. */
  readonly client?: AppClient
}

const Account = Schema.Struct({ portalId: Schema.Number })
const Properties = Schema.Struct({
  results: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      label: Schema.String,
      type: Schema.String,
      modificationMetadata: Schema.optionalKey(Schema.Struct({ readOnlyValue: Schema.optionalKey(Schema.Boolean) }))
    })
  )
})

const numberOf = (headers: AppAnswer["headers"], name: string) => {
  const value = Number(headers[name])
  return headers[name] === undefined || Number.isNaN(value) ? undefined : value
}

export const make = ({ baseUrl, authorizeUrl, client }: HubSpotOptions): AppAdapter => {
  const upsert = makeContacts(baseUrl)
  const note = makeActivities(baseUrl)
  const tags = makeHubSpotTags(baseUrl)

  return {
    ...(client === undefined ? {} : { oauth: makeHubSpotAuthorization({ baseUrl, authorizeUrl }, client) }),
    rate: { requests: 90, windowMs: 10_000 },
    atOnce: 4,
    problem: ({ credentials }) =>
      credentials.accessToken === undefined
        ? "credentials.accessToken is required: the access token of a private app."
        : undefined,
    identify: Effect.fnUntraced(function* (session) {
      const { portalId } = yield* readHubSpot(
        Account,
        yield* askHubSpot(baseUrl, session, { method: "GET", path: "/account-info/v3/details" })
      )
      return { id: String(portalId), name: `Account ${portalId}` }
    }),
    push: Effect.fnUntraced(function* (session, { change, again, links }) {
      const { contact } = change
      const properties = propertiesOf(contact, session.settings.mapping)
      const before = linkOf(links, "contact", contact.id)
      const plain = yield* upsert(session, contact, properties, linkForTags(session, before, contact.tags))
      const person = yield* tags.sync(session, plain, before, contact.tags)
      if (!("conversation" in change)) return [person]
      const known = linkOf(links, "conversation", change.conversation.id)
      return [person, yield* note(session, change.conversation, person.remoteId, known, again)]
    }),
    fields: Effect.fnUntraced(function* (session) {
      const schema = yield* askHubSpot(baseUrl, session, { method: "GET", path: "/crm/v3/properties/contacts" })
      const { results } = yield* readHubSpot(Properties, schema)
      return results.map(({ name, label, type, modificationMetadata }) => ({
        ...{ name, label, type, writable: modificationMetadata?.readOnlyValue !== true }
      }))
    }),
    pull: tags.pull,
    deal: makeHubSpotDeals(baseUrl),
    dealsOf: makeHubSpotDealsOf(baseUrl),
    slowDown: (headers) => {
      const daily = numberOf(headers, "x-hubspot-ratelimit-daily")
      const left = numberOf(headers, "x-hubspot-ratelimit-daily-remaining")
      const paced = daily === undefined || left === undefined ? undefined : dailyPaceMs(daily, left)
      if (paced !== undefined) return paced
      const remaining = numberOf(headers, "x-hubspot-ratelimit-remaining")
      return remaining === 0 ? (numberOf(headers, "x-hubspot-ratelimit-interval-milliseconds") ?? 10_000) : undefined
    }
  }
}
