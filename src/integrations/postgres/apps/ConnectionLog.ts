/** Writes the log of a connection, inside the tenant's transaction. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { HeardEntry } from "../../../domain/apps/HeardLog.ts"
import { newId } from "../../../domain/basics/Ids.ts"
import { storable } from "../../../domain/basics/PlainText.ts"

// JSON holds neither zero characters nor halves of pairs; a text that was cut may end in one.
const clean = (text: string | null) => (text === null ? null : storable(text))

/** What was said, in the form that the database function `note_app_exchanges` takes. */
export const saidRows = (entries: ReadonlyArray<HeardEntry>) =>
  entries.map(({ at, url, request, response, error, ...entry }) => ({
    ...{ ...entry, id: newId("xch", at), at: new Date(at).toISOString() },
    ...{ url: storable(url), request: clean(request), response: clean(response), error: clean(error) }
  }))

/** `taskId`: the change, the arrival or the pull that it was for. Nothing is written about a contact that was erased meanwhile. */
export const writeLog = (
  sql: PgClient.PgClient,
  organizationId: string,
  connectionId: string,
  taskId: string,
  entries: ReadonlyArray<HeardEntry>
) =>
  entries.length === 0
    ? Effect.void
    : sql`SELECT note_app_exchanges(${organizationId}, ${connectionId}, ${taskId}, ${sql.json(saidRows(entries))})`
