/**
 * Tags in both directions, where the mapping gives ours to Zoho's own field for tags. We add and remove there what was added and removed here since both were
 * the same, so what people tag there stays; that comes back with the records that changed.
 */
import { Effect, Schema } from "effect"
import type { AppLink, AppSession } from "../../domain/apps/AppAdapter.ts"
import type { AppSettings } from "../../domain/apps/AppConnection.ts"
import type { AppPull } from "../../domain/apps/AppInbound.ts"
import { mappingOf } from "../../domain/apps/FieldMapping.ts"
import { askZoho, isEmpty, readZoho, savedBy } from "./ZohoRequests.ts"

/** Zoho's field for the tags of a record. They are not written like other fields. */
export const tagField = "Tag"

const minute = 60_000
/** Zoho's times have no milliseconds, and its clock is not ours. */
const overlapMs = 2 * minute
const everyMs = 15 * minute
const perPage = 200

const Tagged = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      Modified_Time: Schema.String,
      Tag: Schema.NullOr(Schema.Array(Schema.Struct({ name: Schema.String })))
    })
  ),
  info: Schema.Struct({
    more_records: Schema.Boolean,
    next_page_token: Schema.optionalKey(Schema.NullOr(Schema.String))
  })
})

export const hasTags = ({ mapping }: AppSettings): boolean => mappingOf(mapping, {}).tags === tagField

const without = (tags: ReadonlyArray<string>, others: ReadonlyArray<string>) =>
  tags.filter((tag) => !others.includes(tag)).map((name) => ({ name }))

/** Adds and removes what changed here; gives the link with the tags that both have now. */
export const tagZohoContact = Effect.fnUntraced(function* (
  session: AppSession,
  link: AppLink,
  known: AppLink | undefined,
  tags: ReadonlyArray<string>
) {
  const before = known?.remoteId === link.remoteId ? (known.fields?.tags ?? []) : []
  const changes = [
    { action: "add_tags", tags: without(tags, before) },
    { action: "remove_tags", tags: without(before, tags) }
  ]
  for (const { action, tags } of changes)
    if (tags.length > 0) {
      const path = `/Contacts/${encodeURIComponent(link.remoteId)}/actions/${action}`
      yield* savedBy(yield* askZoho(session, { method: "POST", path, body: { tags } }))
    }
  return { ...link, fields: { ...known?.fields, tags } } satisfies AppLink
})

/** The tags of the contacts that changed. Contacts that we have not sent are left out. */
export const zohoPull: AppPull = {
  kinds: ["contact"],
  everyMs,
  page: Effect.fnUntraced(function* (session, { since, cursor }) {
    if (!hasTags(session.settings)) return { records: [], cursor: null }
    const query = new URLSearchParams({
      ...{
        fields: `${tagField},Modified_Time`,
        sort_by: "Modified_Time",
        sort_order: "asc",
        per_page: String(perPage)
      },
      ...(cursor === null ? {} : { page_token: cursor })
    })
    const answer = yield* askZoho(session, {
      method: "GET",
      path: `/Contacts?${query}`,
      ...(since === null
        ? {}
        : { modifiedSince: new Date(since - overlapMs).toISOString().replace(/\.\d+Z$/, "+00:00") })
    })
    if (isEmpty(answer) || answer.status === 304) return { records: [], cursor: null }
    const { data, info } = yield* readZoho(Tagged, answer)
    return {
      records: data.map(({ id, Modified_Time, Tag }) => ({
        ...{ _tag: "contact" as const, externalId: id, updatedAt: Date.parse(Modified_Time), onlyLinked: true },
        fields: { tags: (Tag ?? []).map(({ name }) => name) }
      })),
      cursor: info.more_records ? (info.next_page_token ?? null) : null
    }
  })
}
