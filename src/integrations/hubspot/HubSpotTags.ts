/**
 * Tags in both directions, where the mapping gives ours to a property. The contacts that changed are found by HubSpot's search, which gives the first 10,000
 * only and lags by some seconds: the rest is asked for by its time, and some of the time before is asked for again.
 */
import { Effect, Schema } from "effect"
import type { AppSession } from "../../domain/apps/AppAdapter.ts"
import type { AppPull } from "../../domain/apps/AppInbound.ts"
import { makeSyncTags, tagFieldOf, tagsIn } from "../../domain/apps/adapters/TagField.ts"
import { askHubSpot, readHubSpot } from "./HubSpotRequests.ts"

const Properties = Schema.Record(Schema.String, Schema.NullOr(Schema.String))
const Contact = Schema.Struct({ properties: Properties })
const Found = Schema.Struct({
  results: Schema.Array(Schema.Struct({ id: Schema.String, properties: Properties })),
  paging: Schema.optionalKey(Schema.Struct({ next: Schema.optionalKey(Schema.Struct({ after: Schema.String })) }))
})

const minute = 60_000
const overlapMs = 2 * minute
const everyMs = 15 * minute
const perPage = 200
/** HubSpot refuses a search beyond this. */
const mostFound = 10_000
/** HubSpot allows some five searches a second. */
const searchEveryMs = 250
const changedAt = "lastmodifieddate"
const root = "/crm/v3/objects/contacts"

/** A cursor of ours: contacts that changed from this time on (Unix milliseconds), those after the first so many. */
const placeForm = /^(\d+)\/(\d+)$/

const pathOf = (id: string) => `${root}/${encodeURIComponent(id)}`

export const makeHubSpotTags = (baseUrl: string) => {
  const sync = makeSyncTags({
    read: Effect.fnUntraced(function* (session, id, field) {
      const path = `${pathOf(id)}?properties=${encodeURIComponent(field)}`
      const answer = yield* askHubSpot(baseUrl, session, { method: "GET", path })
      return (yield* readHubSpot(Contact, answer)).properties[field] ?? null
    }),
    write: Effect.fnUntraced(function* (session, id, field, text) {
      const body = { properties: { [field]: text } }
      return yield* readHubSpot(
        Contact,
        yield* askHubSpot(baseUrl, session, { method: "PATCH", path: pathOf(id), body })
      )
    })
  })

  const search = Effect.fnUntraced(function* (session: AppSession, field: string, from: number, after: number) {
    const filters = [{ propertyName: changedAt, operator: "GTE", value: String(from) }]
    const body = {
      ...{ filterGroups: [{ filters }], properties: [field, changedAt], limit: perPage, after: String(after) },
      sorts: [{ propertyName: changedAt, direction: "ASCENDING" }]
    }
    return yield* readHubSpot(
      Found,
      yield* askHubSpot(baseUrl, session, { method: "POST", path: `${root}/search`, body })
    )
  })

  /** The tags of the contacts that changed. Contacts that we have not sent are left out. */
  const pull: AppPull = {
    kinds: ["contact"],
    everyMs,
    page: Effect.fnUntraced(function* (session, { since, cursor }) {
      const field = tagFieldOf(session.settings)
      if (field === undefined) return { records: [], cursor: null }
      const [, reached, skipped = "0"] = placeForm.exec(cursor ?? "") ?? []
      const from = reached === undefined ? Math.max(0, (since ?? 0) - overlapMs) : Number(reached)
      const { results, paging } = yield* search(session, field, from, Number(skipped))
      const records = results.map(({ id, properties }) => ({
        ...{ _tag: "contact" as const, externalId: id, onlyLinked: true },
        updatedAt: Date.parse(properties[changedAt] ?? ""),
        fields: { tags: tagsIn(properties[field]) }
      }))
      const after = paging?.next?.after
      const last = records.at(-1)
      if (after === undefined || last === undefined) return { records, cursor: null }
      // The next time begins a new search. More than fit into one search have one time only if a program of theirs changed them.
      const isFull = Number(after) + perPage > mostFound
      const next = isFull ? `${Math.max(last.updatedAt, from + 1)}/0` : `${from}/${after}`
      return { records, cursor: next, waitMs: searchEveryMs }
    })
  }
  return { sync, pull }
}
