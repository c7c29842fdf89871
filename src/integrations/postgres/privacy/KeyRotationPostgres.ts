/** Encrypts every secret in Postgres with the newest key. `fields` must list every encrypted column. */
import { Effect, Layer } from "effect"
import { KeyRotation } from "../../../domain/privacy/KeyRotation.ts"
import { KeyRing, type KeyRingError, reseal } from "../../secrets/KeyRing.ts"
import { resealPushToken } from "../../secrets/PushTokens.ts"
import { type AgentTable, resealTools, type StoredTool } from "../../secrets/SealedTools.ts"
import { secretColumns } from "../events/WebhookRows.ts"
import { organizationsAfter } from "../people/organizations/AcrossTenants.ts"
import { makeSql } from "../tenancy/Sql.ts"

const batch = 100

interface Row {
  readonly id: string
  readonly value: unknown
}

/**
 * The value with every secret encrypted with the newest key, and the number of secrets that had an older key. `also`: other columns of the row that
 * change with it.
 */
type Resealed = Effect.Effect<
  { readonly value: unknown; readonly changed: number; readonly also?: Readonly<Record<string, string>> },
  KeyRingError
>

interface Field {
  readonly table: string
  readonly column: string
  /** The column that identifies a row within an organization and gives the order. */
  readonly id: string
  readonly reseal: (ring: KeyRing["Service"], organizationId: string, value: unknown) => Resealed
  /** An SQL query that gives the secrets of the column, one per row. */
  readonly secrets: string
}

const text = (table: string, column: string, id = "id"): Field => ({
  table,
  column,
  id,
  secrets: `SELECT ${column} AS secret FROM ${table} WHERE ${column} IS NOT NULL`,
  reseal: (ring, organizationId, value) =>
    Effect.map(reseal(ring, { organizationId, field: `${table}.${column}` }, String(value)), (secret) => ({
      value: secret,
      changed: secret === value ? 0 : 1
    }))
})

/** The headers of tools in the settings of agents. `owner`: the table of the agents whose tools they are, for which they were encrypted. */
const tools = (owner: AgentTable, table: string = owner): Field => ({
  table,
  column: "settings",
  id: "id",
  secrets: `SELECT secret #>> '{}' AS secret FROM ${table},
    jsonb_path_query(settings, '$.tools[*].handler.headers.*.sealed') AS secret`,
  reseal: (ring, organizationId, value) => {
    const settings = value as { readonly tools?: ReadonlyArray<StoredTool> }
    return Effect.map(resealTools(ring, owner, organizationId, settings.tools ?? []), ({ tools, changed }) => ({
      value: { ...settings, tools },
      changed
    }))
  }
})

/** Tokens of devices. Their hash is of the newest key, too. */
const pushTokens: Field = {
  ...text("devices", "sealed_token"),
  reseal: (ring, organizationId, value) =>
    Effect.map(resealPushToken(ring, organizationId, String(value)), ({ sealedToken, hash }) => ({
      value: sealedToken,
      changed: sealedToken === value ? 0 : 1,
      also: { token_hash: hash }
    }))
}

const fields: ReadonlyArray<Field> = [
  text("telephony_connections", "auth_token"),
  text("sip_credentials", "password", "organization_id"),
  text("channel_connections", "access_token"),
  text("channel_connections", "app_secret"),
  text("channel_connections", "verify_token"),
  text("idempotency_keys", "answer"),
  text("app_connections", "credentials"),
  text("app_connections", "webhook_token"),
  text("app_authorizations", "verifier", "state_hash"),
  ...secretColumns.map((column) => text("webhook_endpoints", column)),
  text("mcp_servers", "secrets"),
  text("mcp_grants", "tokens", "server_id"),
  text("mcp_authorizations", "pending", "state_hash"),
  text("tested_agents", "agent", "call_id"),
  pushTokens,
  tools("voice_agents"),
  tools("voice_agents", "voice_agent_versions"),
  tools("text_agents"),
  tools("text_agents", "text_agent_versions")
]

export const layer = Layer.effect(
  KeyRotation,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ring = yield* KeyRing

    /** Encrypts the secrets of one locked row again. A value that cannot be decrypted stays as it is. */
    const rotateRow = (organizationId: string, { table, column, id: key, reseal }: Field, { id, value }: Row) =>
      reseal(ring, organizationId, value).pipe(
        Effect.matchEffect({
          onFailure: ({ message }) =>
            Effect.as(Effect.logWarning("a secret does not open", { table, id, reason: message }), {
              reencrypted: 0,
              unreadable: 1
            }),
          onSuccess: ({ value: sealed, changed, also = {} }) => {
            const stored = typeof sealed === "string" ? sealed : sql.json(sealed)
            const update = Effect.forEach(
              Object.entries({ ...also, [column]: stored }),
              ([name, value]) => sql`UPDATE ${sql(table)} SET ${sql(name)} = ${value} WHERE ${sql(key)} = ${id}`
            )
            return Effect.as(changed === 0 ? Effect.void : Effect.asVoid(update), {
              reencrypted: changed,
              unreadable: 0
            })
          }
        })
      )

    const rotateBatch = (organizationId: string, field: Field, after: string) => {
      const { table, column, id } = field
      const rows = sql<Row>`SELECT ${sql(id)} AS id, ${sql(column)} AS value FROM ${sql(table)}
        WHERE ${sql(id)} > ${after} AND ${sql(column)} IS NOT NULL ORDER BY 1 LIMIT ${batch} FOR NO KEY UPDATE SKIP LOCKED`
      return asTenant(organizationId)(
        Effect.flatMap(rows, (locked) =>
          Effect.map(
            Effect.forEach(locked, (row) => rotateRow(organizationId, field, row)),
            (done) => ({ last: locked.at(-1)?.id, done })
          )
        )
      )
    }

    const rotateField = Effect.fnUntraced(function* (organizationId: string, field: Field) {
      let [reencrypted, unreadable] = [0, 0]
      for (let after: string | undefined = ""; after !== undefined; ) {
        const { last, done }: Effect.Success<ReturnType<typeof rotateBatch>> = yield* rotateBatch(
          organizationId,
          field,
          after
        )
        for (const row of done) {
          reencrypted += row.reencrypted
          unreadable += row.unreadable
        }
        after = last
      }
      if (reencrypted > 0)
        yield* Effect.logInfo("secrets were encrypted again", { organizationId, table: field.table, reencrypted })
      return { reencrypted, unreadable }
    })

    const keysOf = (organizationId: string, { secrets }: Field) =>
      asTenant(organizationId)(
        sql<{ key: string; uses: number }>`SELECT split_part(secret, ':', 1) AS key, count(*)::int AS uses
          FROM (${sql.literal(secrets)}) AS secrets GROUP BY 1`
      )

    const run = Effect.gen(function* () {
      let [reencrypted, unreadable] = [0, 0]
      const keysInUse: Record<string, Record<string, number>> = {}
      const next = (after = "") => organizationsAfter(sql, after, batch)
      for (let page = yield* next(); page.length > 0; page = yield* next(page.at(-1)))
        for (const organizationId of page)
          for (const field of fields) {
            const done = yield* rotateField(organizationId, field)
            reencrypted += done.reencrypted
            unreadable += done.unreadable
            const name = `${field.table}.${field.column}`
            const uses = { ...keysInUse[name] }
            for (const { key, uses: more } of yield* keysOf(organizationId, field)) uses[key] = (uses[key] ?? 0) + more
            keysInUse[name] = uses
          }
      return { reencrypted, unreadable, keysInUse }
    })

    return KeyRotation.of({ run: run.pipe(Effect.orDie, Effect.withSpan("KeyRotation.run")) })
  })
)
