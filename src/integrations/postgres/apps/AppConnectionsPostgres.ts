/** The connections to integrations in Postgres. */
import { Effect, Layer } from "effect"
import { AppConnections, type StoredConnection } from "../../../domain/apps/AppConnection.ts"
import type { AppProvider } from "../../../domain/apps/Catalogue.ts"
import { newId } from "../../../domain/basics/Ids.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { KeyRing } from "../../secrets/KeyRing.ts"
import { tokenHash } from "../../secrets/TokenHash.ts"
import { makeBatching, sharedLine } from "../tenancy/Batching.ts"
import { makeRemembering } from "../tenancy/Remembering.ts"
import { makeSql } from "../tenancy/Sql.ts"
import { connectionsWithWebhooks } from "./AcrossTenants.ts"
import {
  type ConnectionRow,
  type CountedRow,
  connectionColumns,
  connectionCounts,
  connectionRecord,
  noteFinding,
  openConnection,
  providerOf,
  sealCredentials,
  sealWebhookToken
} from "./ConnectionRows.ts"

const verifierOwner = (organizationId: string) => ({ organizationId, field: "app_authorizations.verifier" })

export const layer = Layer.effect(
  AppConnections,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ring = yield* KeyRing
    const columns = sql.literal(connectionColumns)
    const counts = sql.literal(connectionCounts)
    /** The end of the log: every event that settles from now on comes after it. */
    const logEnd = sql.literal("pg_snapshot_xmin(pg_current_snapshot())")

    /** Those with an address for webhooks, opened. */
    const addressed = makeRemembering<StoredConnection>()
    /** The addresses of webhooks that come at one moment are looked up by one statement. */
    const placed = yield* makeBatching((_, hashes: ReadonlyArray<string>) => connectionsWithWebhooks(sql, hashes))

    const counted = (provider: AppProvider) =>
      sql<CountedRow>`SELECT ${columns}, ${counts} FROM app_connections c WHERE provider = ${provider}`
    const locked = (provider: AppProvider) =>
      sql<ConnectionRow>`SELECT ${columns} FROM app_connections WHERE provider = ${provider} FOR NO KEY UPDATE`
    const record = (rows: ReadonlyArray<CountedRow>) =>
      rows.length === 0 ? Effect.succeed(undefined) : connectionRecord(ring, rows[0])

    /** Removes what the back-fill has not begun to send, and remembers where to go on. */
    const stopFilling = (id: string) =>
      sql`WITH removed AS (DELETE FROM app_tasks WHERE connection_id = ${id} AND status = 'pending' AND claims = 0 AND NOT live
          RETURNING contact_id)
        UPDATE app_connections SET backfill = 'stopped', backfill_made = backfill_made - (SELECT count(*)::int FROM removed),
          backfill_after = coalesce((SELECT left(min(contact_id), -1) FROM removed), backfill_after)
        WHERE id = ${id} AND backfill = 'running'`

    const startFilling = ({ id, backfill }: ConnectionRow) =>
      backfill === "stopped"
        ? sql`UPDATE app_connections SET backfill = 'running' WHERE id = ${id}`
        : sql`UPDATE app_connections SET backfill = 'running', backfill_after = '', backfill_made = 0, backfill_total =
            (SELECT count(*)::int FROM contacts WHERE archived_at IS NULL AND merged_into IS NULL)
          WHERE id = ${id} AND backfill <> 'running'`

    return AppConnections.of({
      list: traced("AppConnections.list")(function* (organizationId) {
        const rows = yield* asTenant(organizationId)(
          sql<CountedRow>`SELECT ${columns}, ${counts} FROM app_connections c`
        )
        const known = rows.flatMap((row) => {
          const provider = providerOf(row)
          return provider === undefined ? [] : [{ provider, row }]
        })
        const records = yield* Effect.forEach(known, ({ provider, row }) =>
          Effect.map(connectionRecord(ring, row), (made) => [provider, made] as const)
        )
        return new Map(records)
      }, Effect.orDie),

      find: traced("AppConnections.find")(function* (organizationId, provider) {
        const [row] = yield* asTenant(organizationId)(
          sql<ConnectionRow>`SELECT ${columns} FROM app_connections WHERE provider = ${provider}`
        )
        return row === undefined ? undefined : yield* openConnection(ring, row)
      }, Effect.orDie),

      idOfContact: traced("AppConnections.idOfContact")(function* ({ organizationId, id }, contactId) {
        const rows = yield* asTenant(organizationId)(
          sql<{ remoteId: string }>`SELECT remote_id FROM app_links
            WHERE connection_id = ${id} AND kind = 'contact' AND local_id = ${contactId}`
        )
        return rows.at(0)?.remoteId
      }, Effect.orDie),

      withWebhook: traced("AppConnections.withWebhook")(function* (provider, token) {
        const place = yield* placed(sharedLine, tokenHash(token))
        if (place === undefined) return undefined
        const { organizationId, connectionId, version, plan } = place
        const read = asTenant(organizationId)(
          sql<ConnectionRow>`SELECT ${columns} FROM app_connections WHERE id = ${connectionId}`
        ).pipe(Effect.flatMap(([row]) => (row === undefined ? Effect.undefined : openConnection(ring, row))))
        const connection = yield* addressed(connectionId, version, read)
        return connection?.provider === provider ? { connection, plan } : undefined
      }, Effect.orDie),

      save: traced("AppConnections.save")(function* (organizationId, provider, given, now) {
        const { settings, credentials, account, webhookToken } = given
        const sealed = yield* sealCredentials(ring, organizationId, credentials)
        const sealedToken = yield* sealWebhookToken(ring, organizationId, webhookToken)
        const hash = webhookToken === null ? null : tokenHash(webhookToken)
        const at = new Date(now)
        const names = Object.keys(credentials)
        const rows = yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const [before] = yield* locked(provider)
            yield* sql`INSERT INTO app_connections (organization_id, id, provider, enabled, account_id, account_name, settings, credentials,
                secret_names, webhook_token, webhook_hash, state, transaction, position, created_at, updated_at)
              VALUES (${organizationId}, ${newId("con", now)}, ${provider}, true, ${account.id}, ${account.name}, ${sql.json(settings)},
                ${sealed}, ${names}::text[], ${sealedToken}, ${hash}, 'connected', ${logEnd}, 0, ${at}, ${at})
              ON CONFLICT ON CONSTRAINT app_connections_once DO UPDATE SET account_id = excluded.account_id,
                account_name = excluded.account_name, settings = excluded.settings, credentials = excluded.credentials,
                secret_names = excluded.secret_names, webhook_token = excluded.webhook_token, webhook_hash = excluded.webhook_hash, refresh_failed_at = NULL, credentials_version = app_connections.credentials_version + 1, updated_at = ${at}`
            if (before !== undefined) {
              yield* noteFinding(sql, before, null, now)
              // Another account knows nothing of our records, and has others.
              if (before.accountId !== account.id) {
                yield* sql`DELETE FROM app_pulls WHERE connection_id = ${before.id}`
                yield* sql`DELETE FROM app_links WHERE connection_id = ${before.id}`
              }
            }
            return yield* counted(provider)
          })
        )
        return yield* connectionRecord(ring, rows[0])
      }, Effect.orDie),

      setEnabled: traced("AppConnections.setEnabled")(function* (organizationId, provider, enabled, now) {
        const place = enabled ? sql`, transaction = ${logEnd}, position = 0` : sql``
        const rows = yield* asTenant(organizationId)(
          Effect.gen(function* () {
            yield* sql`UPDATE app_connections SET enabled = ${enabled}, updated_at = ${new Date(now)} ${place}
              WHERE provider = ${provider} AND enabled <> ${enabled}`
            return yield* counted(provider)
          })
        )
        return yield* record(rows)
      }, Effect.orDie),

      remove: traced("AppConnections.remove")(function* (organizationId, provider) {
        yield* asTenant(organizationId)(sql`DELETE FROM app_connections WHERE provider = ${provider}`)
      }, Effect.orDie),

      note: traced("AppConnections.note")(function* (organizationId, connectionId, finding, now) {
        yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const [row] =
              yield* sql<ConnectionRow>`SELECT ${columns} FROM app_connections WHERE id = ${connectionId} FOR NO KEY UPDATE`
            if (row !== undefined) yield* noteFinding(sql, row, finding, now)
          })
        )
      }, Effect.orDie),

      replaceTokens: traced("AppConnections.replaceTokens")(function* (connection, credentials) {
        const { organizationId, id, credentialsVersion } = connection
        const sealed = yield* sealCredentials(ring, organizationId, credentials)
        const [row] = yield* asTenant(organizationId)(
          sql<ConnectionRow>`UPDATE app_connections SET credentials = ${sealed}, credentials_version = credentials_version + 1,
              refresh_failed_at = NULL WHERE id = ${id} AND credentials_version = ${credentialsVersion} RETURNING ${columns}`
        )
        return row === undefined ? undefined : yield* openConnection(ring, row)
      }, Effect.orDie),

      refreshFailed: traced("AppConnections.refreshFailed")(
        (organizationId, id, now) =>
          asTenant(organizationId)(
            sql`UPDATE app_connections SET refresh_failed_at = ${new Date(now)} WHERE id = ${id}`
          ),
        Effect.orDie,
        Effect.asVoid
      ),

      beginAuthorization: traced("AppConnections.beginAuthorization")(function* (
        organizationId,
        { provider, userId, verifier },
        state,
        endsAt,
        now
      ) {
        const sealed = yield* ring.encrypt(verifierOwner(organizationId), verifier)
        yield* asTenant(organizationId)(
          Effect.andThen(
            sql`DELETE FROM app_authorizations WHERE expires_at <= ${new Date(now)} OR user_id = ${userId}`,
            sql`INSERT INTO app_authorizations (organization_id, state_hash, provider, user_id, verifier, expires_at)
              VALUES (${organizationId}, ${tokenHash(state)}, ${provider}, ${userId}, ${sealed}, ${new Date(endsAt)})`
          )
        )
      }, Effect.orDie),

      endAuthorization: traced("AppConnections.endAuthorization")(function* (organizationId, state, now) {
        const [row] = yield* asTenant(organizationId)(
          sql<{ provider: string; userId: string; verifier: string }>`DELETE FROM app_authorizations
            WHERE state_hash = ${tokenHash(state)} AND expires_at > ${new Date(now)} RETURNING provider, user_id, verifier`
        )
        const provider = row === undefined ? undefined : providerOf(row)
        if (row === undefined || provider === undefined) return undefined
        const verifier = yield* ring.decrypt(verifierOwner(organizationId), row.verifier)
        return { provider, userId: row.userId, verifier }
      }, Effect.orDie),

      setBackfill: traced("AppConnections.setBackfill")(function* (organizationId, provider, running, now) {
        const rows = yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const [row] = yield* locked(provider)
            if (row !== undefined) {
              yield* running ? startFilling(row) : stopFilling(row.id)
              yield* sql`UPDATE app_connections SET updated_at = ${new Date(now)} WHERE id = ${row.id}`
            }
            return yield* counted(provider)
          })
        )
        return yield* record(rows)
      }, Effect.orDie)
    })
  })
)
