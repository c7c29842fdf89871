/** The first half of a removal of files. Runs inside the organization's transaction; after the commit the files are no longer visible. */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Effect } from "effect"

/** Sets the named records from `stored` to `removing`; with `unlessUsed` only those that no message refers to, with `unlessWaiting` only those
 * that no message refers to which waits to be sent. Gives the ids of the changed ones. */
export const beginRemovals = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  mediaIds: ReadonlyArray<string>,
  {
    unlessUsed = false,
    unlessWaiting = false
  }: { readonly unlessUsed?: boolean; readonly unlessWaiting?: boolean } = {}
) {
  const at = new Date(yield* Clock.currentTimeMillis)
  const unused = unlessUsed
    ? sql`AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.organization_id = ${organizationId} AND m.media_id = media.id)`
    : sql``
  const idle = unlessWaiting
    ? sql`AND NOT EXISTS (SELECT 1 FROM messages m JOIN outbox o ON o.organization_id = m.organization_id AND o.message_id = m.id
        WHERE m.organization_id = ${organizationId} AND m.media_id = media.id)`
    : sql``
  const begun = yield* sql<{ id: string }>`UPDATE media SET state = 'removing', state_since = ${at}
    WHERE organization_id = ${organizationId} AND id = ANY(${mediaIds}::text[]) AND state = 'stored' ${unused} ${idle} RETURNING id`
  return begun.map(({ id }) => id)
})
