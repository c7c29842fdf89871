/** The statements that an effect asks of the database, and their plans. */
import { Effect } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { tenant } from "../../src/integrations/postgres/tenancy/Tenant.ts"

/** A statement and its parameters. */
export type Asked = readonly [text: string, params: ReadonlyArray<unknown>]

/** The queries of the service while `effect` runs. */
export const statementsOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const asked: Array<Asked> = []
  yield* Effect.provideService(effect, Statement.CurrentTransformer, (statement) =>
    Effect.sync(() => {
      asked.push(statement.compile())
      return statement
    })
  )
  return asked.filter(([text]) => /^\s*(SELECT|WITH)/.test(text) && !text.includes("set_config"))
})

/** The plan of a query as the service's role has it, inside the organization. */
export const planOf = Effect.fnUntraced(function* (organizationId: string, [text, params]: Asked) {
  const sql = yield* SqlClient.SqlClient
  const lines = yield* tenant(organizationId)(sql.unsafe<Record<string, string>>(`EXPLAIN ${text}`, params))
  return lines.map((line) => Object.values(line)[0]).join("\n")
})
