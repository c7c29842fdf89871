/** Converts database rows of connections into records, and notes what becomes known of their credentials. The rows hold credentials encrypted. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import {
  type AppFinding,
  AppSettings,
  type AppState,
  ConnectionRecord,
  type StoredConnection
} from "../../../domain/apps/AppConnection.ts"
import { type AppProvider, isAppProvider, rowOf } from "../../../domain/apps/Catalogue.ts"
import { probeEveryMs, type SyncOutcome } from "../../../domain/apps/SyncVerdict.ts"
import type { KeyRing } from "../../secrets/KeyRing.ts"
import { recordEvent } from "../events/EventLog.ts"
import { columnsOf } from "../tenancy/Columns.ts"
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
  /** Encrypted. */
  readonly webhookToken: string | null
  readonly lastSyncedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** All columns except the place in the log, whose type the client cannot read. */
export const connectionColumns = `organization_id, id, provider, enabled, account_id, account_name, settings, credentials, credentials_version,
  secret_names, state, problem, failing_since, resume_at, backfill, backfill_total, backfill_made, refresh_failed_at, webhook_token, last_synced_at, created_at,
  updated_at`

/**
 * What there is of a connection `c`: how many changes wait, were given up, and wait because of the back-fill; how many arrivals wait and were given up; the
 * newest arrival of each topic (the recursion jumps from topic to topic in the index); and its pulls.
 */
export const connectionCounts = `(SELECT count(*)::int FROM app_tasks t WHERE t.organization_id = c.organization_id AND t.connection_id = c.id
    AND t.due_at IS NOT NULL) AS waiting,
  (SELECT count(*)::int FROM app_tasks t WHERE t.organization_id = c.organization_id AND t.connection_id = c.id
    AND t.status = 'dead') AS problems,
  (SELECT count(*)::int FROM app_tasks t WHERE t.organization_id = c.organization_id AND t.connection_id = c.id
    AND t.due_at IS NOT NULL AND NOT t.live) AS filling,
  (SELECT count(*)::int FROM app_arrivals t WHERE t.organization_id = c.organization_id AND t.connection_id = c.id
    AND t.due_at IS NOT NULL) AS arriving,
  (SELECT count(*)::int FROM app_arrivals t WHERE t.organization_id = c.organization_id AND t.connection_id = c.id
    AND t.status = 'dead') AS arrival_problems,
  (WITH RECURSIVE topics AS (
      (SELECT topic, created_at FROM app_arrivals t WHERE t.organization_id = c.organization_id AND t.connection_id = c.id
        ORDER BY topic, created_at DESC LIMIT 1)
      UNION ALL SELECT n.topic, n.created_at FROM topics b, LATERAL (SELECT topic, created_at FROM app_arrivals t
        WHERE t.organization_id = c.organization_id AND t.connection_id = c.id AND t.topic > b.topic
        ORDER BY topic, created_at DESC LIMIT 1) n)
    SELECT coalesce(json_agg(json_build_array(topic, created_at) ORDER BY topic), '[]') FROM topics) AS topics,
  (SELECT coalesce(json_agg(json_build_array(kind, state, records, completed_at, error) ORDER BY place), '[]') FROM app_pulls p
    WHERE p.organization_id = c.organization_id AND p.connection_id = c.id) AS pulls`

export interface CountedRow extends ConnectionRow {
  readonly waiting: number
  readonly problems: number
  readonly filling: number
  readonly arriving: number
  readonly arrivalProblems: number
  readonly topics: ReadonlyArray<readonly [topic: string, at: string]>
  readonly pulls: ReadonlyArray<
    readonly [kind: string, state: string, records: number, completedAt: string | null, error: string | null]
  >
}

const owner = (organizationId: string) => ({ organizationId, field: "app_connections.credentials" })
const webhookOwner = (organizationId: string) => ({ organizationId, field: "app_connections.webhook_token" })
const decodeConnection = Schema.decodeUnknownEffect(ConnectionRecord)
const decodeSettings = Schema.decodeUnknownEffect(AppSettings)
const decodeCredentials = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)))

export const sealCredentials = (
  ring: KeyRing["Service"],
  organizationId: string,
  credentials: Readonly<Record<string, string>>
) => ring.encrypt(owner(organizationId), JSON.stringify(credentials))

export const sealWebhookToken = (ring: KeyRing["Service"], organizationId: string, token: string | null) =>
  token === null ? Effect.succeed(null) : ring.encrypt(webhookOwner(organizationId), token)

const openWebhookToken = (
  ring: KeyRing["Service"],
  { organizationId, webhookToken }: Pick<ConnectionRow, "organizationId" | "webhookToken">
) => (webhookToken === null ? Effect.succeed(null) : ring.decrypt(webhookOwner(organizationId), webhookToken))

/** The provider of a row; undefined for one of a newer version of the service, which this process does not know. */
export const providerOf = ({ provider }: Pick<ConnectionRow, "provider">): AppProvider | undefined =>
  isAppProvider(provider) ? provider : undefined

/** What work over a connection needs of its row. */
export type OpenRow = Omit<ConnectionRow, Exclude<keyof ConnectionRow, keyof StoredConnection>>
/** Its columns, in the record in the column `of`. */
export const openColumns = (of: string): string =>
  columnsOf(
    of,
    "organization_id id provider enabled settings credentials credentials_version state failing_since refresh_failed_at webhook_token"
  )

export const openConnection = Effect.fnUntraced(function* (ring: KeyRing["Service"], row: OpenRow) {
  const provider = providerOf(row)
  if (provider === undefined) return undefined
  const { organizationId, id, credentialsVersion, state, enabled } = row
  return {
    ...{ organizationId, id, provider, credentialsVersion, state, enabled },
    webhookToken: yield* openWebhookToken(ring, row),
    settings: yield* decodeSettings(row.settings),
    credentials: yield* decodeCredentials(yield* ring.decrypt(owner(organizationId), row.credentials)),
    failingSince: row.failingSince?.getTime() ?? null,
    refreshFailedAt: row.refreshFailedAt?.getTime() ?? null
  } satisfies StoredConnection
})

export const connectionRecord = Effect.fnUntraced(function* (ring: KeyRing["Service"], row: CountedRow) {
  const { backfill: state, backfillMade, backfillTotal: total, filling } = row
  const instant = (time: string | null) => isoOrNull(time === null ? null : new Date(time))
  return yield* decodeConnection({
    ...row,
    webhookToken: yield* openWebhookToken(ring, row),
    webhooks: row.topics.map(([topic, at]) => ({ topic, lastAt: instant(at) })),
    pulls: row.pulls.map(([kind, state, records, completedAt, problem]) => ({
      ...{ kind, state, records, problem },
      completedAt: instant(completedAt)
    })),
    account: { id: row.accountId, name: row.accountName },
    secrets: row.secretNames,
    problemAt: isoOrNull(row.failingSince),
    waitsUntil: isoOrNull(row.resumeAt),
    lastSyncedAt: isoOrNull(row.lastSyncedAt),
    backfill: { state, sent: Math.max(0, backfillMade - filling), total: Math.max(total, backfillMade) },
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt)
  })
})

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

/** The row of a connection, locked. */
export const lockedConnection = Effect.fnUntraced(function* (sql: PgClient.PgClient, id: string) {
  const columns = sql.literal(connectionColumns)
  const rows = yield* sql<ConnectionRow>`SELECT ${columns} FROM app_connections WHERE id = ${id} FOR NO KEY UPDATE`
  return rows.at(0)
})

/** The row of a connection over which the provider may be asked now. */
export const usableConnection = Effect.fnUntraced(function* (sql: PgClient.PgClient, id: string, now: number) {
  const rows =
    yield* sql<ConnectionRow>`SELECT ${sql.literal(connectionColumns)} FROM app_connections WHERE id = ${id} AND enabled
    AND state <> 'reconnect' AND (resume_at IS NULL OR resume_at <= ${new Date(now)})`
  return rows.at(0)
})

/** Whether an outcome says something new about the connection. */
export const tellsOfConnection = (
  { state }: Pick<StoredConnection, "state">,
  { credentials, resumeAt }: SyncOutcome
): boolean => !(resumeAt === null && (credentials === undefined || (credentials === "works" && state === "connected")))

/** The locked row, when an outcome says something new about the connection. */
export const heldConnection = (
  sql: PgClient.PgClient,
  connection: Pick<StoredConnection, "id" | "state">,
  outcome: SyncOutcome
) => (tellsOfConnection(connection, outcome) ? lockedConnection(sql, connection.id) : Effect.undefined)

/** Notes for a locked connection what an attempt has shown of its credentials. */
export const learnCredentials = (
  sql: PgClient.PgClient,
  row: ConnectionRow,
  { credentials, error }: Pick<SyncOutcome, "credentials" | "error">,
  now: number
) => {
  if (credentials === undefined) return Effect.void
  const finding = credentials === "works" ? null : { problem: error ?? "", final: credentials === "reconnect" }
  return noteFinding(sql, row, finding, now)
}

/** Notes for a locked connection what an attempt has shown. */
export const learnOutcome = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  row: ConnectionRow,
  outcome: SyncOutcome,
  now: number
) {
  const { credentials, resumeAt, task } = outcome
  yield* learnCredentials(sql, row, outcome, now)
  if (credentials === undefined && resumeAt !== null && task !== "dead")
    yield* sql`UPDATE app_connections SET resume_at = greatest(resume_at, ${new Date(resumeAt)}) WHERE id = ${row.id}`
  // A wait that another change was asked for stays.
  if (task === "done")
    yield* sql`UPDATE app_connections SET last_synced_at = ${new Date(now)}, resume_at = greatest(
        CASE WHEN resume_at > ${new Date(now)} THEN resume_at END, ${resumeAt === null ? null : new Date(resumeAt)}::timestamptz)
      WHERE id = ${row.id}`
})
