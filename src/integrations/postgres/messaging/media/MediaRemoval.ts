/** The first half of a removal of files, for whoever is in a transaction of their organization: from its end on nobody sees them. */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Effect } from "effect"

/** Makes those of the `stored` records `removing` that are named, with `unlessUsed` only what no message refers to; gives their ids. */
export const beginRemovals = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  mediaIds: ReadonlyArray<string>,
  { unlessUsed = false }: { readonly unlessUsed?: boolean } = {}
) {
  const at = new Date(yield* Clock.currentTimeMillis)
  const unused = unlessUsed
    ? sql`AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.organization_id = ${organizationId} AND m.media_id = media.id)`
    : sql``
  const begun = yield* sql<{ id: string }>`UPDATE media SET state = 'removing', state_since = ${at}
    WHERE organization_id = ${organizationId} AND id = ANY(${mediaIds}::text[]) AND state = 'stored' ${unused} RETURNING id`
  return begun.map(({ id }) => id)
})
