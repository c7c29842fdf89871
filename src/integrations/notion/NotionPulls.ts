/** The pages of the database that were edited since the last time. Notion rounds the times of edits down to minutes. */
import { Effect, Schema } from "effect"
import type { AppPull } from "../../domain/apps/AppInbound.ts"
import { NotionPage } from "./NotionContacts.ts"
import type { makeNotionDatabase } from "./NotionDatabase.ts"
import { askNotion, readNotion } from "./NotionRequests.ts"
import { recordOfPage } from "./NotionWebhooks.ts"

const Found = Schema.Struct({
  results: Schema.Array(NotionPage),
  next_cursor: Schema.NullOr(Schema.String),
  request_status: Schema.optionalKey(Schema.Struct({ type: Schema.String }))
})

const minute = 60_000
/** So much of the time before is asked for again. */
const overlapMs = 2 * minute
const everyMs = 5 * minute

/** A cursor of ours: Notion gives the first 10,000 pages only, and the rest is asked for by its time. */
const editedForm = /^edited:(.+)$/

export const makeNotionPulls = (baseUrl: string, databaseOf: ReturnType<typeof makeNotionDatabase>): AppPull => ({
  kinds: ["contact"],
  everyMs,
  page: Effect.fnUntraced(function* (session, { since, cursor }) {
    const database = yield* databaseOf(session, cursor === null)
    if (database === undefined) return { records: [], cursor: null }
    const [, reached] = editedForm.exec(cursor ?? "") ?? []
    const from = reached ?? (since === null ? undefined : new Date(since - overlapMs).toISOString())
    const body = {
      ...(from === undefined
        ? {}
        : { filter: { timestamp: "last_edited_time", last_edited_time: { on_or_after: from } } }),
      sorts: [{ timestamp: "last_edited_time", direction: "ascending" }],
      page_size: 100,
      ...(cursor === null || reached !== undefined ? {} : { start_cursor: cursor })
    }
    const path = `/data_sources/${database.dataSourceId}/query`
    const found = yield* readNotion(Found, yield* askNotion(baseUrl, session, { method: "POST", path, body }))
    const records = found.results.flatMap((page) => recordOfPage(page, database) ?? [])
    const last = found.results.at(-1)?.last_edited_time
    const isCut = found.next_cursor === null && found.request_status?.type === "incomplete"
    return { records, cursor: isCut && last !== undefined && last !== reached ? `edited:${last}` : found.next_cursor }
  })
})
