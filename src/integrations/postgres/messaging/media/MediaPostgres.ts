/** Records of stored files in Postgres. One statement decides each step, so that concurrent uploads and removals agree. */
import { Clock, Effect, Layer } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import type { Media } from "../../../../domain/messaging/media/Media.ts"
import { type MediaRecordKey, MediaRecords } from "../../../../domain/messaging/media/MediaRecords.ts"
import { newestFirst } from "../../tenancy/Parts.ts"
import { iso, makeSql } from "../../tenancy/Sql.ts"
import { unsettledMedia } from "./AcrossTenants.ts"
import { beginRemovals } from "./MediaRemoval.ts"

interface MediaRow extends Omit<Media, "createdAt"> {
  readonly createdAt: Date
  readonly state: "pending" | "stored" | "removing"
}

const media = (row: MediaRow): Media => {
  const { id, organizationId, kind, mimeType, sizeBytes, sha256, filename } = row
  return { id, organizationId, kind, mimeType, sizeBytes, sha256, filename, createdAt: iso(row.createdAt) }
}
const first = (rows: ReadonlyArray<MediaRow>) => rows.slice(0, 1).map(media).at(0)

export const layer = Layer.effect(
  MediaRecords,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    /** Claims the removal of an unfinished file. `state_since` becomes `now`, so no other process claims it before the same time has passed again. */
    const take = ({ organizationId, mediaId }: MediaRecordKey, before: Date, now: Date) =>
      asTenant(organizationId)(
        sql<MediaRecordKey>`UPDATE media SET state = 'removing', state_since = ${now}
          WHERE id = ${mediaId} AND state <> 'stored' AND state_since <= ${before} RETURNING organization_id, id AS media_id`
      )

    return MediaRecords.of({
      claim: traced("MediaRecords.claim")(function* (file) {
        const now = yield* Clock.currentTimeMillis
        const at = new Date(now)
        const { organizationId, kind, mimeType, sizeBytes, sha256, filename } = file
        const [row] = yield* asTenant(organizationId)(
          sql<MediaRow>`INSERT INTO media (organization_id, id, kind, mime_type, size_bytes, sha256, filename, created_at, state_since)
            VALUES (${organizationId}, ${newId("med", now)}, ${kind}, ${mimeType}, ${sizeBytes}, ${sha256}, ${filename}, ${at}, ${at})
            ON CONFLICT (organization_id, sha256) WHERE state <> 'removing'
              DO UPDATE SET state_since = excluded.state_since
            RETURNING *`
        )
        return { media: media(row), stored: row.state === "stored" }
      }, Effect.orDie),

      confirm: traced("MediaRecords.confirm")(function* ({ organizationId, mediaId }) {
        const at = new Date(yield* Clock.currentTimeMillis)
        return first(
          yield* asTenant(organizationId)(
            sql<MediaRow>`UPDATE media SET state = 'stored', state_since = ${at}
              WHERE id = ${mediaId} AND state <> 'removing' RETURNING *`
          )
        )
      }, Effect.orDie),

      find: traced("MediaRecords.find")(function* ({ organizationId, mediaId }) {
        return first(
          yield* asTenant(organizationId)(sql<MediaRow>`SELECT * FROM media WHERE id = ${mediaId} AND state = 'stored'`)
        )
      }, Effect.orDie),

      list: traced("MediaRecords.list")(function* (organizationId, { kind, since, before }, part) {
        const where = sql.and([
          sql`state = 'stored'`,
          ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
          ...(since === undefined ? [] : [sql`created_at >= ${new Date(since)}`]),
          ...(before === undefined ? [] : [sql`created_at < ${new Date(before)}`])
        ])
        const decode = (rows: ReadonlyArray<MediaRow>) => Effect.succeed(rows.map(media))
        return yield* asTenant(organizationId)(
          newestFirst<MediaRow, Media, never>(sql, { table: "media", where, decode }, part)
        )
      }, Effect.orDie),

      beginRemovals: traced("MediaRecords.beginRemovals")(
        (organizationId, mediaIds, options) =>
          asTenant(organizationId)(beginRemovals(sql, organizationId, mediaIds, options)),
        Effect.orDie
      ),

      removed: traced("MediaRecords.removed")(function* ({ organizationId, mediaId }) {
        yield* asTenant(organizationId)(sql`DELETE FROM media WHERE id = ${mediaId} AND state = 'removing'`)
      }, Effect.orDie),

      unsettled: traced("MediaRecords.unsettled")(function* (before, most) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const left = yield* unsettledMedia(sql, before, most)
        return (yield* Effect.forEach(left, (key) => take(key, before, now))).flat()
      }, Effect.orDie)
    })
  })
)
