/** Rows of what an agent's settings were at each save. Voice agents and text agents have a table each, of one shape. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { newId } from "../../../domain/basics/Ids.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { Acting, type Actor } from "../../../domain/people/access/Audit.ts"
import { mostVersions, type SavedVersions } from "../../../domain/people/access/SavedVersion.ts"
import { numbered } from "./Parts.ts"
import { iso, makeSql } from "./Sql.ts"

/** Its rows belong to one agent each, by `agent_id`. */
export type VersionTable = "voice_agent_versions" | "text_agent_versions"

/** `Stored`: its settings, as they are stored. */
export interface VersionRow<Stored> {
  readonly organizationId: string
  readonly version: number
  readonly name: string
  readonly settings: Stored
  readonly changed: ReadonlyArray<string>
  readonly savedAt: Date
  readonly actorType: Actor["type"]
  readonly actorId: string | null
}

const versionOf = <Stored>({ version, name, changed, savedAt, actorType, actorId }: VersionRow<Stored>) => ({
  version,
  name,
  changed,
  savedAt: iso(savedAt),
  savedBy: { type: actorType, id: actorId }
})

/** Reads the versions of a table. `name`: of the port, in traces; `open`: the settings of a row. */
export const makeVersions = Effect.fnUntraced(function* <Stored, Settings, E>(
  name: string,
  table: VersionTable,
  open: (row: VersionRow<Stored>) => Effect.Effect<Settings, E>
) {
  const { sql, asTenant } = yield* makeSql
  const decode = (row: VersionRow<Stored>) => Effect.succeed(versionOf(row))
  return {
    list: traced(`${name}.list`)(
      (organizationId, agentId, page, limit) =>
        numbered(
          { sql, asTenant },
          organizationId,
          { from: sql`${sql(table)} WHERE agent_id = ${agentId}`, order: sql`version DESC`, decode },
          page,
          limit
        ),
      Effect.orDie
    ),
    find: traced(`${name}.find`)(function* (organizationId, agentId, version) {
      const [row] = yield* asTenant(organizationId)(
        sql<VersionRow<Stored>>`SELECT * FROM ${sql(table)} WHERE agent_id = ${agentId} AND version = ${version}`
      )
      return row === undefined ? undefined : { version: versionOf(row), settings: yield* open(row) }
    }, Effect.orDie)
  } satisfies SavedVersions<Settings>
})

/** The names of the settings that two records differ in. */
export const differing = <Settings extends object>(
  names: ReadonlyArray<string>,
  before: Settings,
  after: Settings
): ReadonlyArray<string> =>
  names.filter((name) => JSON.stringify(Reflect.get(before, name)) !== JSON.stringify(Reflect.get(after, name)))

/** What is written of a save. */
export interface NewVersion {
  readonly organizationId: string
  readonly agentId: string
  readonly name: string
  /** As the agent's row has them. */
  readonly settings: object
  readonly changed: ReadonlyArray<string>
  readonly savedAt: Date
}

/** Writes the next version of an agent, and removes the oldest beyond the newest 50. Use it as the tenant, with the agent's row locked. */
export const writeVersion = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  table: VersionTable,
  saved: NewVersion
) {
  const { organizationId, agentId, name, settings, changed, savedAt } = saved
  const { actor } = yield* Acting
  const [{ version }] = yield* sql<{ version: number }>`INSERT INTO ${sql(table)}
      (organization_id, id, agent_id, version, name, settings, changed, saved_at, actor_type, actor_id)
    SELECT ${organizationId}, ${newId("agv")}, ${agentId}, coalesce(max(v.version), 0) + 1, ${name}, ${sql.json(settings)},
      ${changed}::text[], ${savedAt}, ${actor.type}, ${actor.id}
    FROM ${sql(table)} v WHERE v.agent_id = ${agentId} RETURNING version`
  yield* sql`DELETE FROM ${sql(table)} WHERE agent_id = ${agentId} AND version <= ${version - mostVersions}`
  return version
})

/** Keeps an agent from before versions were kept as its first one, when it is changed. `saved`: as it is stored. Use it as `writeVersion`. */
export const keepFirst = Effect.fnUntraced(function* (sql: PgClient.PgClient, table: VersionTable, saved: NewVersion) {
  const known = yield* sql`SELECT 1 AS found FROM ${sql(table)} WHERE agent_id = ${saved.agentId} LIMIT 1`
  if (known.length > 0) return
  yield* writeVersion(sql, table, saved).pipe(
    Effect.provideService(Acting, { actor: { type: "system", id: null }, ip: null, requestId: null })
  )
})
