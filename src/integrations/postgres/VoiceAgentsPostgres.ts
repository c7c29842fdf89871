/**
 * Voice agents in Postgres: name and times as columns, everything else a customer sets in `settings`, where the headers of tools are
 * encrypted with the key ring.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import {
  DuplicateAgent,
  VoiceAgent,
  VoiceAgentSettings,
  VoiceAgents,
  voiceAgentDefaults
} from "../../domain/VoiceAgent.ts"
import { KeyRing } from "../secrets/KeyRing.ts"
import { releaseConversations } from "./ReleasedConversations.ts"
import { openTools, type StoredTool, sealTools } from "./SealedTools.ts"
import { iso, makeSql, whenTaken } from "./Sql.ts"

interface Row {
  readonly organizationId: string
  readonly id: string
  readonly name: string
  readonly settings: { readonly tools?: ReadonlyArray<StoredTool> }
  readonly providerStack: unknown
  readonly phoneNumber: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Attributes added since the row was written have their defaults. */
const decode = Effect.fnUntraced(function* (ring: KeyRing["Service"], row: Row) {
  const { settings, createdAt, updatedAt, ...columns } = row
  return yield* Schema.decodeUnknownEffect(VoiceAgent)({
    ...voiceAgentDefaults,
    ...settings,
    tools: yield* openTools(ring, row.organizationId, settings.tools ?? []),
    ...columns,
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt)
  })
})

const settingNames = Object.keys(VoiceAgentSettings.fields).filter((key) => key !== "name")

const settingsOf = (ring: KeyRing["Service"], agent: VoiceAgent) =>
  Effect.map(sealTools(ring, agent.organizationId, agent.tools), (tools) => ({
    ...Object.fromEntries(Object.entries(agent).filter(([key]) => settingNames.includes(key))),
    tools
  }))

const selected = (sql: PgClient.PgClient) => sql`SELECT a.*, n.phone AS phone_number FROM voice_agents a
  LEFT JOIN phone_numbers n ON n.organization_id = a.organization_id AND n.agent_id = a.id`

/** Carries the failure of a push out of the transaction, apart from the database's own. */
class PushFailed<E> {
  readonly _tag = "PushFailed"
  readonly error: E
  constructor(error: E) {
    this.error = error
  }
}

export const layer = Layer.effect(
  VoiceAgents,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ring = yield* KeyRing

    const nameTaken = ({ organizationId, id, name }: VoiceAgent) =>
      sql`SELECT FROM voice_agents WHERE organization_id = ${organizationId} AND name = ${name} AND id <> ${id}`.pipe(
        Effect.filterOrFail(
          (rows) => rows.length === 0,
          () => new DuplicateAgent({ name })
        )
      )

    /**
     * Push, then write, while no other agent of the organization is saved: a failing push leaves nothing written. In this order, because
     * the engine asks the voice provider before it answers, and every event of every organization waits for the oldest transaction that has
     * written something. (A write that fails all the same leaves the engine with a version that no call asks for.)
     */
    const save = <E1, E>(agent: VoiceAgent, write: Effect.Effect<unknown, E1>, push: Effect.Effect<void, E>) =>
      asTenant(agent.organizationId)(
        sql`SELECT pg_advisory_xact_lock(hashtextextended(${`voice agents of ${agent.organizationId}`}, 0))`.pipe(
          Effect.andThen(sql`SET LOCAL idle_in_transaction_session_timeout = '2min'`),
          Effect.andThen(nameTaken(agent)),
          Effect.andThen(Effect.mapError(push, (error) => new PushFailed(error))),
          Effect.andThen(write)
        )
      )

    const duplicate = (agent: VoiceAgent) =>
      whenTaken("voice_agents_name", () => new DuplicateAgent({ name: agent.name }))

    return VoiceAgents.of({
      list: Effect.fn("VoiceAgents.list")(function* (organizationId, page, limit) {
        const [rows, [{ total }]] = yield* asTenant(organizationId)(
          Effect.all([
            sql<Row>`${selected(sql)} ORDER BY a.created_at DESC, a.id DESC LIMIT ${limit} OFFSET ${(page - 1) * limit}`,
            sql<{ total: number }>`SELECT count(*)::int AS total FROM voice_agents`
          ])
        )
        return { data: yield* Effect.forEach(rows, (row) => decode(ring, row)), total }
      }, Effect.orDie),

      find: Effect.fn("VoiceAgents.find")(function* (organizationId, agentId) {
        const rows = yield* asTenant(organizationId)(sql<Row>`${selected(sql)} WHERE a.id = ${agentId}`)
        return rows.length === 0 ? undefined : yield* decode(ring, rows[0])
      }, Effect.orDie),

      create: Effect.fn("VoiceAgents.create")((agent, push) => {
        const { organizationId, id, name, providerStack, createdAt, updatedAt } = agent
        const write = Effect.flatMap(
          settingsOf(ring, agent),
          (settings) =>
            sql`INSERT INTO voice_agents (organization_id, id, name, settings, provider_stack, created_at, updated_at)
              VALUES (${organizationId}, ${id}, ${name}, ${sql.json(settings)}, ${sql.json(providerStack)},
                ${new Date(createdAt)}, ${new Date(updatedAt)})`
        )
        return save(agent, write, push).pipe(
          Effect.catchTags({ SqlError: duplicate(agent), PushFailed: ({ error }) => Effect.fail(error) })
        )
      }),

      update: Effect.fn("VoiceAgents.update")((agent, push) => {
        const { id, name, providerStack, updatedAt } = agent
        const write = settingsOf(ring, agent).pipe(
          Effect.flatMap(
            (settings) => sql`UPDATE voice_agents SET name = ${name}, settings = ${sql.json(settings)},
              provider_stack = ${sql.json(providerStack)}, updated_at = ${new Date(updatedAt)} WHERE id = ${id} RETURNING id`
          ),
          Effect.filterOrElse(
            (rows) => rows.length > 0,
            () => Effect.die(new Error(`Voice agent ${id} was removed while it was being changed`))
          )
        )
        return save(agent, write, push).pipe(
          Effect.catchTags({ SqlError: duplicate(agent), PushFailed: ({ error }) => Effect.fail(error) })
        )
      }),

      remove: Effect.fn("VoiceAgents.remove")(function* (organizationId, agentId) {
        return yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const known = yield* sql`SELECT 1 AS found FROM voice_agents WHERE id = ${agentId} FOR UPDATE`
            if (known.length === 0) return false
            yield* releaseConversations(sql, organizationId, agentId)
            yield* sql`DELETE FROM voice_agents WHERE id = ${agentId}`
            return true
          })
        )
      }, Effect.orDie)
    })
  })
)
