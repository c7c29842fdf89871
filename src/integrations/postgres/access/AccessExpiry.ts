/** Removes expired idempotency keys and sessions of all organizations. Every process does this; they do not disturb each other. */
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inBatches } from "../../../domain/basics/InBatches.ts"
import { periodically } from "../../../domain/basics/Periodically.ts"
import { sessionIdleMs } from "../../../domain/people/access/UserSession.ts"
import { deleteExpired } from "./AcrossTenants.ts"

const every = "10 minutes"
/** Rows of each kind that one statement removes at most. */
const batch = 1_000

/** Removes all rows that have expired by now. Gives the number of rows removed. */
const removeExpired = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  return yield* inBatches(batch, deleteExpired(sql, now, now - sessionIdleMs, batch))
})

export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effectDiscard(
  periodically("what has expired could not be removed", { every }, removeExpired)
)
