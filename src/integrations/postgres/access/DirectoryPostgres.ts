/** The names of people and agents, in Postgres. */
import { Effect, Layer } from "effect"
import { traced } from "../../../domain/basics/Traced.ts"
import { Directory, type DirectoryEntry } from "../../../domain/people/access/Directory.ts"
import { numbered } from "../tenancy/Parts.ts"
import { makeSql } from "../tenancy/Sql.ts"

export const layer = Layer.effect(
  Directory,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const entries = sql`(SELECT id, name, 'person' AS kind, deactivated_at IS NULL AND password_hash <> '' AS active FROM users
      UNION ALL SELECT id, name, 'text_agent', true FROM text_agents
      UNION ALL SELECT id, name, 'voice_agent', true FROM voice_agents) AS entry`
    return Directory.of({
      list: traced("Directory.list")(
        (organizationId, page, limit) =>
          numbered(
            { sql, asTenant },
            organizationId,
            { from: entries, order: sql`lower(name), id`, decode: (row: DirectoryEntry) => Effect.succeed(row) },
            page,
            limit
          ),
        Effect.orDie
      ),
      nameOf: traced("Directory.nameOf")(function* (organizationId, id) {
        const rows = yield* asTenant(organizationId)(
          sql<{ name: string }>`SELECT name FROM ${entries} WHERE id = ${id}`
        )
        return rows.at(0)?.name
      }, Effect.orDie)
    })
  })
)
