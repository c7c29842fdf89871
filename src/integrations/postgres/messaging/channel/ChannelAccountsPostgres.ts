/** Connections to the messaging channel in Postgres. Their secrets are encrypted with the key ring. */
import { Clock, Effect, Layer } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import {
  ChannelAccounts,
  type ChannelConnection,
  NumberTaken
} from "../../../../domain/messaging/channel/ChannelConnection.ts"
import { ChannelConnections, notConnected } from "../../../../domain/messaging/channel/ConnectionStatus.ts"
import { KeyRing } from "../../../secrets/KeyRing.ts"
import { tokenHash } from "../../../secrets/TokenHash.ts"
import { makeBatching } from "../../tenancy/Batching.ts"
import { iso, isoOrNull, makeSql, whenTaken } from "../../tenancy/Sql.ts"
import { knowsVerifyToken, lookUpChannelConnections } from "./AcrossTenants.ts"

interface Row extends Omit<ChannelConnection, "problemAt" | "createdAt" | "updatedAt"> {
  readonly problemAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

const owner = (organizationId: string, column: string) => ({ organizationId, field: `channel_connections.${column}` })

/** How long it is remembered that an organization has a connection, in milliseconds, and of how many. */
const knownMs = 10_000
const mostKnown = 10_000

const make = Effect.gen(function* () {
  /** Organizations that have a connection, and until when that is believed. */
  const known = new Map<string, number>()
  const { sql, asTenant } = yield* makeSql
  const ring = yield* KeyRing

  const open = Effect.fnUntraced(function* (row: Row) {
    const { organizationId, id, phoneNumberId, businessAccountId, phoneNumber, businessName, problem } = row
    return {
      ...{ organizationId, id, phoneNumberId, businessAccountId, phoneNumber, businessName, problem },
      problemAt: isoOrNull(row.problemAt),
      accessToken: yield* ring.decrypt(owner(organizationId, "access_token"), row.accessToken),
      appSecret: yield* ring.decrypt(owner(organizationId, "app_secret"), row.appSecret),
      verifyToken: yield* ring.decrypt(owner(organizationId, "verify_token"), row.verifyToken),
      createdAt: iso(row.createdAt),
      updatedAt: iso(row.updatedAt)
    }
  }, Effect.orDie)

  const stored = (organizationId: string) =>
    Effect.map(asTenant(organizationId)(sql<Row>`SELECT * FROM channel_connections`), (rows) => rows.at(0))

  /** Batched, because every message that is handed over to the channel reads the connection. */
  const find = yield* makeBatching((organizationId, asking: ReadonlyArray<undefined>) =>
    stored(organizationId).pipe(
      Effect.flatMap((row) => (row === undefined ? Effect.undefined : open(row))),
      Effect.map((found) => asking.map(() => found))
    )
  )

  const accounts = ChannelAccounts.of({
    find: traced("ChannelAccounts.find")((organizationId) => find(organizationId, undefined), Effect.orDie),

    save: traced("ChannelAccounts.save")(function* (organizationId, given) {
      const { phoneNumberId, businessAccountId, phoneNumber, businessName } = given
      const [accessToken, appSecret, verifyToken] = yield* Effect.all([
        ring.encrypt(owner(organizationId, "access_token"), given.accessToken),
        ring.encrypt(owner(organizationId, "app_secret"), given.appSecret),
        ring.encrypt(owner(organizationId, "verify_token"), given.verifyToken)
      ])
      const [row] = yield* asTenant(organizationId)(
        sql<Row>`INSERT INTO channel_connections (organization_id, id, phone_number_id, business_account_id, access_token, app_secret,
            verify_token, verify_token_hash, phone_number, business_name)
          VALUES (${organizationId}, ${newId("chn")}, ${phoneNumberId}, ${businessAccountId}, ${accessToken}, ${appSecret},
            ${verifyToken}, ${tokenHash(given.verifyToken)}, ${phoneNumber}, ${businessName})
          ON CONFLICT (organization_id) DO UPDATE SET phone_number_id = excluded.phone_number_id,
            business_account_id = excluded.business_account_id, access_token = excluded.access_token, app_secret = excluded.app_secret,
            verify_token = excluded.verify_token, verify_token_hash = excluded.verify_token_hash,
            phone_number = excluded.phone_number, business_name = excluded.business_name, problem = NULL, problem_at = NULL,
            updated_at = now()
          RETURNING *`
      ).pipe(
        Effect.catchTag(
          "SqlError",
          whenTaken("channel_connections_number", () => new NumberTaken({ phoneNumberId }))
        )
      )
      return yield* open(row)
    }),

    note: traced("ChannelAccounts.note")(
      (organizationId, problem) =>
        asTenant(organizationId)(
          sql`UPDATE channel_connections SET problem = ${problem}, problem_at = CASE WHEN ${problem}::text IS NULL THEN NULL
            ELSE coalesce(problem_at, now()) END WHERE problem IS DISTINCT FROM ${problem}`
        ),
      Effect.orDie,
      Effect.asVoid
    ),

    remove: traced("ChannelAccounts.remove")(function* (organizationId) {
      known.delete(organizationId)
      const gone = yield* asTenant(organizationId)(sql`DELETE FROM channel_connections RETURNING id`)
      return gone.length > 0
    }, Effect.orDie),

    receivers: traced("ChannelAccounts.receivers")(function* ({ phoneNumberIds, businessAccountIds }) {
      const rows = yield* lookUpChannelConnections(sql, phoneNumberIds, businessAccountIds)
      return yield* Effect.forEach(rows, ({ organizationId, phoneNumberId, businessAccountId, appSecret }) =>
        Effect.map(ring.decrypt(owner(organizationId, "app_secret"), appSecret), (opened) => ({
          ...{ organizationId, phoneNumberId, businessAccountId },
          appSecret: opened
        }))
      )
    }, Effect.orDie),

    knowsVerifyToken: traced("ChannelAccounts.knowsVerifyToken")(
      (token) => knowsVerifyToken(sql, tokenHash(token)),
      Effect.orDie
    )
  })

  const connections = ChannelConnections.of({
    status: traced("ChannelConnections.status")(function* (organizationId) {
      const row = yield* stored(organizationId)
      if (row === undefined) return notConnected
      const { phoneNumber, businessName, problem, problemAt } = row
      const of = { phoneNumber, connectionType: "cloud_api" as const, businessName }
      return { connected: problem === null, ...of, problem, problemAt: isoOrNull(problemAt) }
    }, Effect.orDie),

    exists: traced("ChannelConnections.exists")(function* (organizationId) {
      const now = yield* Clock.currentTimeMillis
      if ((known.get(organizationId) ?? 0) > now) return true
      const found = (yield* stored(organizationId)) !== undefined
      if (found) {
        if (known.size >= mostKnown) known.clear()
        known.set(organizationId, now + knownMs)
      }
      return found
    }, Effect.orDie)
  })
  return { accounts, connections }
})

/** `ChannelAccounts` and `ChannelConnections`, both over the same rows. */
export const layer = Layer.unwrap(
  Effect.map(make, ({ accounts, connections }) =>
    Layer.mergeAll(Layer.succeed(ChannelAccounts, accounts), Layer.succeed(ChannelConnections, connections))
  )
)
