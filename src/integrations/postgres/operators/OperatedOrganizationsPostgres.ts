/** Organizations as operators see them, and the gates of flags, in Postgres. */
import { Effect, Layer } from "effect"
import { traced } from "../../../domain/basics/Traced.ts"
import { FlagGates, flagNames, type Stage } from "../../../domain/operators/FlagGate.ts"
import { OperatedOrganizations } from "../../../domain/operators/OperatedOrganization.ts"
import { type OrganizationRow, organizationColumns, organizationOf } from "../people/organizations/OrganizationRows.ts"
import { iso, makeSql } from "../tenancy/Sql.ts"
import { countFlag, searchOrganizations } from "./AcrossTenants.ts"

interface SetRow extends OrganizationRow {
  readonly stage: Stage
}

interface GateRow {
  readonly flag: string
  readonly staging: number
  readonly production: number
  readonly updatedAt: Date
}

export const layer = Layer.effect(
  OperatedOrganizations,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    return OperatedOrganizations.of({
      find: traced("OperatedOrganizations.find")(function* (id) {
        const [row] = yield* asTenant(id)(
          sql<SetRow>`SELECT ${sql.literal(organizationColumns)} FROM organizations WHERE id = ${id}`
        )
        if (row === undefined) return undefined
        const { flags: inForce, ...organization } = yield* organizationOf(row)
        return { ...organization, flags: row.flags, inForce, stage: row.stage }
      }, Effect.orDie),

      setStage: traced("OperatedOrganizations.setStage")(function* (id, stage) {
        yield* asTenant(id)(sql`UPDATE organizations SET stage = ${stage}, updated_at = now() WHERE id = ${id}`)
      }, Effect.orDie),

      search: traced("OperatedOrganizations.search")(function* (filter, page, limit) {
        const rows = yield* searchOrganizations(sql, filter, page, limit)
        // A page behind the end has no rows that say how many there are.
        const [first = { total: 0 }] =
          rows.length === 0 && page > 1 ? yield* searchOrganizations(sql, filter, 1, 1) : rows
        return { data: rows.map(({ id }) => id), total: first.total }
      }, Effect.orDie)
    })
  })
)

const nobody = { organizations: 0, having: 0, inForce: 0 }

export const gatesLayer = Layer.effect(
  FlagGates,
  Effect.gen(function* () {
    const { sql } = yield* makeSql

    const reachOf = Effect.fnUntraced(function* (flag: string) {
      const rows = yield* countFlag(sql, flag)
      const of = (stage: Stage) => {
        const row = rows.find((one) => one.stage === stage)
        return row === undefined
          ? nobody
          : { organizations: row.organizations, having: row.havingIt, inForce: row.inForce }
      }
      return { staging: of("staging"), production: of("production") }
    })

    return FlagGates.of({
      list: Effect.gen(function* () {
        const rows = yield* sql<GateRow>`SELECT * FROM flag_gates`
        return yield* Effect.forEach(flagNames, (flag) =>
          Effect.map(reachOf(flag), (reach) => {
            const row = rows.find((one) => one.flag === flag)
            const { staging = 100, production = 100 } = row ?? {}
            return { flag, staging, production, updatedAt: row === undefined ? null : iso(row.updatedAt), reach }
          })
        )
      }).pipe(Effect.orDie),

      set: traced("FlagGates.set")(function* (flag, { staging, production }, now) {
        yield* sql`INSERT INTO flag_gates (flag, staging, production, updated_at)
          VALUES (${flag}, ${staging}, ${production}, ${new Date(now)})
          ON CONFLICT (flag) DO UPDATE SET staging = excluded.staging, production = excluded.production,
            updated_at = excluded.updated_at`
      }, Effect.orDie)
    })
  })
)
