/** Writes the log of a connection, inside the tenant's transaction. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { HeardEntry } from "../../../domain/apps/HeardLog.ts"
import { newId } from "../../../domain/basics/Ids.ts"
import { storable } from "../../../domain/basics/PlainText.ts"

/** `taskId`: the change, the arrival or the pull that it was for. Nothing is written about a contact that was erased meanwhile. */
export const writeLog = (
  sql: PgClient.PgClient,
  organizationId: string,
  connectionId: string,
  taskId: string,
  entries: ReadonlyArray<HeardEntry>
) => {
  if (entries.length === 0) return Effect.void
  // JSON holds neither zero characters nor halves of pairs; a text that was cut may end in one.
  const clean = (text: string | null) => (text === null ? null : storable(text))
  const rows = entries.map(({ at, url, request, response, error, ...entry }) => ({
    ...{ ...entry, id: newId("xch", at), at: new Date(at).toISOString() },
    ...{ url: storable(url), request: clean(request), response: clean(response), error: clean(error) }
  }))
  return sql`INSERT INTO app_log (organization_id, id, connection_id, task_id, contact_id, method, url, request, status, response, error,
      duration_ms, created_at)
    SELECT ${organizationId}, e.id, ${connectionId}, ${taskId}, e."contactId", e.method, e.url, e.request, e.status, e.response, e.error,
      e."durationMs", e.at
    FROM jsonb_to_recordset(${sql.json(rows)}) AS e (id text, "contactId" text, method text, url text, request text, status integer,
      response text, error text, "durationMs" integer, at timestamptz)
    WHERE e."contactId" IS NULL OR EXISTS (SELECT 1 FROM contacts c WHERE c.id = e."contactId")`
}
