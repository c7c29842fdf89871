/** Checks stored events against our own `/openapi.json`. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { tenant } from "../../src/integrations/postgres/tenancy/Tenant.ts"
import type { Contract } from "./OpenApi.ts"

interface Row {
  readonly id: string
  readonly type: string
  readonly data: unknown
  readonly createdAt: Date
}

/** Checks every event in the log, of all organizations, and dies when one differs. Skips events of an erased contact: their data is gone. */
export const judgeEvents = Effect.fnUntraced(function* ({ eventProblem }: Contract) {
  const sql = yield* SqlClient.SqlClient
  const organizations = yield* sql<{ id: string }>`SELECT id FROM organization_ids('', 100000) AS id`
  for (const { id: organizationId } of organizations) {
    const written = sql<Row>`SELECT id, type, data, created_at FROM events WHERE NOT withdrawn`
    for (const { id, type, data, createdAt } of yield* tenant(organizationId)(written)) {
      const problem = eventProblem({ id, type, data, createdAt: createdAt.toISOString() })
      if (problem !== undefined) return yield* Effect.die(new Error(`${problem}\n${JSON.stringify(data)}`))
    }
  }
}, Effect.orDie)
