/**
 * Text agents in Postgres. Name and times have columns of their own, and what decides which agent answers a message: it is read with each one.
 * `settings` holds everything else; in it the headers of tools are encrypted.
 */
import { Effect, Layer, Schema } from "effect"
import { traced } from "../../../../domain/basics/Traced.ts"
import {
  DuplicateTextAgent,
  TextAgent,
  TextAgentSettings,
  TextAgents
} from "../../../../domain/messaging/agents/TextAgent.ts"
import { KeyRing } from "../../../secrets/KeyRing.ts"
import { sealTools } from "../../../secrets/SealedTools.ts"
import { numbered } from "../../tenancy/Parts.ts"
import { differing, keepFirst, writeVersion } from "../../tenancy/SavedVersions.ts"
import { holdName, iso, makeSql, whenTaken, within } from "../../tenancy/Sql.ts"
import { releaseConversations } from "../conversations/ReleasedConversations.ts"
import { openTextSettings, type StoredTextSettings } from "./StoredTextSettings.ts"

interface Row {
  readonly organizationId: string
  readonly id: string
  readonly name: string
  readonly answers: string
  readonly channels: ReadonlyArray<string>
  readonly settings: StoredTextSettings
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = new Set(["name", "answers", "channels"])
const versioned = Object.keys(TextAgentSettings.fields)
const settingNames = versioned.filter((name) => !columns.has(name))

/** What a version keeps of a row: also what has a column of its own. */
const versionIn = ({ organizationId, id: agentId, name, answers, channels, settings, updatedAt: savedAt }: Row) => ({
  organizationId,
  agentId,
  name,
  settings: { ...settings, answers, channels },
  savedAt
})

export const layer = Layer.effect(
  TextAgents,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ring = yield* KeyRing

    const decode = Effect.fnUntraced(function* ({ settings, createdAt, updatedAt, ...row }: Row) {
      return yield* Schema.decodeUnknownEffect(TextAgent)({
        ...(yield* openTextSettings(ring, row.organizationId, settings)),
        ...row,
        createdAt: iso(createdAt),
        updatedAt: iso(updatedAt)
      })
    }, Effect.orDie)

    const settingsOf = (agent: TextAgent) =>
      Effect.map(sealTools(ring, "text_agents", agent.organizationId, agent.tools), (tools) => ({
        ...Object.fromEntries(Object.entries(agent).filter(([name]) => settingNames.includes(name))),
        tools
      }))

    const duplicate = ({ name }: TextAgent) => whenTaken("text_agents_name", () => new DuplicateTextAgent({ name }))

    const first = (rows: ReadonlyArray<Row>) => (rows.length === 0 ? Effect.succeed(undefined) : decode(rows[0]))

    /** Locks the record until the transaction ends. */
    const locked = (id: string) =>
      Effect.map(
        Effect.orDie(sql<Row>`SELECT * FROM text_agents WHERE id = ${id} FOR NO KEY UPDATE`),
        (rows): Row | undefined => rows[0]
      )

    const keep = (row: Row, changed: ReadonlyArray<string>) =>
      Effect.orDie(writeVersion(sql, "text_agent_versions", { ...versionIn(row), changed }))

    const rowOf = Effect.fnUntraced(function* (agent: TextAgent) {
      const { organizationId, id, name, answers, channels, createdAt, updatedAt } = agent
      const settings = yield* settingsOf(agent)
      const times = { createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) }
      return { organizationId, id, name, answers, channels, settings, ...times } satisfies Row
    })

    const insert = Effect.fnUntraced(function* (agent: TextAgent, most: number) {
      const row = yield* rowOf(agent)
      const { organizationId, id, name, answers, channels, settings, createdAt, updatedAt } = row
      // One writer at a time, so that the number of agents stays as it was counted.
      yield* Effect.orDie(holdName(sql, `text agents of ${organizationId}`))
      const rows = yield* sql`INSERT INTO text_agents
          (organization_id, id, name, answers, channels, settings, created_at, updated_at)
        SELECT ${organizationId}, ${id}, ${name}, ${answers}, ${channels}::text[], ${sql.json(settings)},
          ${createdAt}::timestamptz, ${updatedAt}::timestamptz
        WHERE (SELECT count(*) FROM text_agents) < ${most} RETURNING id`.pipe(
        Effect.catchTag("SqlError", duplicate(agent))
      )
      if (rows.length > 0) yield* keep(row, versioned)
      return rows.length > 0
    })

    const write = Effect.fnUntraced(function* (agent: TextAgent, changed: ReadonlyArray<string>) {
      const row = yield* rowOf(agent)
      const { id, name, answers, channels, settings, updatedAt } = row
      yield* sql`UPDATE text_agents SET name = ${name}, answers = ${answers}, channels = ${channels}::text[],
        settings = ${sql.json(settings)}, updated_at = ${updatedAt} WHERE id = ${id}`.pipe(
        Effect.catchTag("SqlError", duplicate(agent))
      )
      yield* keep(row, changed)
    })

    const update = Effect.fnUntraced(function* <E>(
      id: string,
      change: (before: TextAgent) => Effect.Effect<TextAgent, E>
    ) {
      const row = yield* locked(id)
      if (row === undefined) return undefined
      const before = yield* decode(row)
      const after = yield* change(before)
      const saved = { ...versionIn(row), changed: versioned }
      yield* Effect.orDie(keepFirst(sql, "text_agent_versions", saved))
      yield* write(after, differing(versioned, before, after))
      return { before, after }
    })

    /**
     * Conversations that ended with the agent lose it before the agent is deleted. The foreign key would do it afterwards, when whoever holds such a
     * conversation may wait for the agent already.
     */
    const forgetAgent = (organizationId: string, id: string) =>
      sql`WITH held AS (SELECT id FROM conversations WHERE organization_id = ${organizationId} AND assigned_bot_id = ${id}
          ORDER BY id FOR NO KEY UPDATE)
        UPDATE conversations c SET assigned_bot_id = NULL FROM held WHERE c.organization_id = ${organizationId} AND c.id = held.id`

    const remove = Effect.fnUntraced(function* (organizationId: string, id: string) {
      const row = yield* locked(id)
      if (row === undefined) return undefined
      const agent = yield* decode(row)
      yield* Effect.orDie(releaseConversations(sql, organizationId, id))
      yield* Effect.orDie(forgetAgent(organizationId, id))
      yield* Effect.orDie(sql`DELETE FROM text_agents WHERE id = ${id}`)
      return agent
    })

    return TextAgents.of({
      list: traced("TextAgents.list")(
        (organizationId, page, limit) =>
          numbered({ sql, asTenant }, organizationId, { from: sql`text_agents`, decode }, page, limit),
        Effect.orDie
      ),
      find: traced("TextAgents.find")(
        (organizationId, id) =>
          asTenant(organizationId)(sql<Row>`SELECT * FROM text_agents WHERE id = ${id}`).pipe(Effect.flatMap(first)),
        Effect.orDie
      ),
      create: traced("TextAgents.create")((agent, most) => within(asTenant(agent.organizationId))(insert(agent, most))),
      update: (organizationId, id, change) => within(asTenant(organizationId))(update(id, change)),
      remove: traced("TextAgents.remove")((organizationId, id) =>
        within(asTenant(organizationId))(remove(organizationId, id))
      )
    })
  })
)
