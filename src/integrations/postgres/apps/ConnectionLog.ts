/** Writes the log of a connection, inside the tenant's transaction. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { HeardEntry } from "../../../domain/apps/HeardLog.ts"
import { newId } from "../../../domain/basics/Ids.ts"

/** `taskId`: the change, the arrival or the pull that it was for. Nothing is written about a contact that was erased meanwhile. */
export const writeLog = (
  sql: PgClient.PgClient,
  organizationId: string,
  connectionId: string,
  taskId: string,
  entries: ReadonlyArray<HeardEntry>
) =>
  Effect.forEach(
    entries,
    ({ at, method, url, request, status, response, error, durationMs, contactId }) =>
      sql`INSERT INTO app_log (organization_id, id, connection_id, task_id, contact_id, method, url, request, status, response, error,
          duration_ms, created_at)
        SELECT ${organizationId}, ${newId("xch", at)}, ${connectionId}, ${taskId}, ${contactId}, ${method}, ${url}, ${request},
          ${status}, ${response}, ${error}, ${durationMs}, ${new Date(at)}
        WHERE ${contactId}::text IS NULL OR EXISTS (SELECT 1 FROM contacts c WHERE c.id = ${contactId})`,
    { discard: true }
  )
