/** Converts database rows of connections into records, and notes what becomes known of their credentials. The rows hold credentials encrypted. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import {
  AppConnection,
  type AppFinding,
  AppSettings,
  type AppState,
  type StoredConnection
} from "../../../domain/apps/AppConnection.ts"
import { type AppProvider, isAppProvider, rowOf } from "../../../domain/apps/Catalogue.ts"
import { probeEveryMs } from "../../../domain/apps/SyncVerdict.ts"
import type { KeyRing } from "../../secrets/KeyRing.ts"
import { recordEvent } from "../events/EventLog.ts"
import { iso, isoOrNull } from "../tenancy/Sql.ts"

export interface ConnectionRow {
  readonly organizationId: string
  readonly id: string
  readonly provider: string
  readonly enabled: boolean
  readonly accountId: string
  readonly accountName: string
  readonly settings: unknown
  readonly credentials: string
  readonly credentialsVersion: number
  readonly secretNames: ReadonlyArray<string>
  readonly state: AppState
  readonly problem: string | null
  readonly failingSince: Date | null
  readonly resumeAt: Date | null
  readonly backfill: string
  readonly backfillTotal: number
  readonly backfillMade: number
  readonly refreshFailedAt: Date | null
  readonly lastSyncedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** All columns except the place in the log, whose type the client cannot read. */
export const connectionColumns = `organization_id, id, provider, enabled, account_id, account_name, settings, credentials, credentials_version,
  secret_names, state, problem, failing_since, resume_at, backfill, backfill_total, backfill_made, refresh_failed_at, last_synced_at, created_at, updated_at`

/** How many changes of a connection `c` wait, were given up, and wait because of the back-fill. */
export const connectionCounts = `(SELECT count(*)::int FROM app_tasks t WHERE t.organization_id = c.organization_id AND t.connection_id = c.id
    AND t.due_at IS NOT NULL) AS waiting,
  (SELECT count(*)::int FROM app_tasks t WHERE t.organization_id = c.organization_id AND t.connection_id = c.id
    AND t.status = 'dead') AS problems,
  (SELECT count(*)::int FROM app_tasks t WHERE t.organization_id = c.organization_id AND t.connection_id = c.id
    AND t.due_at IS NOT NULL AND NOT t.live) AS filling`

export interface CountedRow extends ConnectionRow {
  readonly waiting: number
  readonly problems: number
  readonly filling: number
}

const owner = (organizationId: string) => ({ organizationId, field: "app_connections.credentials" })
const decodeConnection = Schema.decodeUnknownEffect(AppConnection)
const decodeSettings = Schema.decodeUnknownEffect(AppSettings)
const decodeCredentials = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)))

export const sealCredentials = (
  ring: KeyRing["Service"],
  organizationId: string,
  credentials: Readonly<Record<string, string>>
) => ring.encrypt(owner(organizationId), JSON.stringify(credentials))

/** The provider of a row; undefined for one of a newer version of the service, which this process does not know. */
export const providerOf = ({ provider }: Pick<ConnectionRow, "provider">): AppProvider | undefined =>
  isAppProvider(provider) ? provider : undefined

export const openConnection = Effect.fnUntraced(function* (ring: KeyRing["Service"], row: ConnectionRow) {
  const provider = providerOf(row)
  if (provider === undefined) return undefined
  const { organizationId, id, credentialsVersion, state } = row
  return {
    ...{ organizationId, id, provider, credentialsVersion, state },
    settings: yield* decodeSettings(row.settings),
    credentials: yield* decodeCredentials(yield* ring.decrypt(owner(organizationId), row.credentials)),
    failingSince: row.failingSince?.getTime() ?? null,
    refreshFailedAt: row.refreshFailedAt?.getTime() ?? null
  } satisfies StoredConnection
})

export const connectionRecord = (row: CountedRow) => {
  const { backfill: state, backfillMade, backfillTotal: total, filling } = row
  return decodeConnection({
    ...row,
    account: { id: row.accountId, name: row.accountName },
    secrets: row.secretNames,
    problemAt: isoOrNull(row.failingSince),
    waitsUntil: isoOrNull(row.resumeAt),
    lastSyncedAt: isoOrNull(row.lastSyncedAt),
    backfill: { state, sent: Math.max(0, backfillMade - filling), total: Math.max(total, backfillMade) },
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt)
  })
}

/** What a person is told: why, and what happens now. */
const sentenceOf = (provider: AppProvider, { problem, final }: NonNullable<AppFinding>) =>
  final
    ? `${problem} Connect ${rowOf(provider).title} again. Changes wait until then; none is lost.`
    : `${problem} We try again every ${probeEveryMs / 60_000} minutes. Changes wait until then; none is lost.`

/** Notes a finding about the credentials of a locked row, in its transaction, and tells of it with an event when it is news. */
export const noteFinding = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  row: Pick<ConnectionRow, "organizationId" | "id" | "provider" | "state">,
  finding: AppFinding,
  now: number
) {
  const { organizationId, id, state } = row
  const provider = providerOf(row)
  if (provider === undefined || (finding === null && state === "connected")) return
  const at = new Date(now)
  const next = finding === null ? "connected" : finding.final || state === "reconnect" ? "reconnect" : "failing"
  const problem = finding === null ? null : sentenceOf(provider, { ...finding, final: next === "reconnect" })
  if (finding === null)
    yield* sql`UPDATE app_connections SET state = 'connected', problem = NULL, failing_since = NULL, resume_at = NULL WHERE id = ${id}`
  else
    yield* sql`UPDATE app_connections SET state = ${next}, problem = ${problem}, failing_since = coalesce(failing_since, ${at}),
      resume_at = ${next === "failing" ? new Date(now + probeEveryMs) : null} WHERE id = ${id}`
  if (next === state) return
  const connection = { id, provider, title: rowOf(provider).title, problem }
  const type = finding === null ? "connection.recovered" : "connection.failed"
  yield* recordEvent(sql, organizationId, { type, data: { connection } }, now)
})
