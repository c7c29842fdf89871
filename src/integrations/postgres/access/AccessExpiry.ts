/** Removes what has expired, of every organization: idempotency keys and sessions. Every app does; they do not disturb each other. */
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inBatches } from "../../../domain/basics/InBatches.ts"
import { periodically } from "../../../domain/basics/Periodically.ts"
import { sessionIdleMs } from "../../../domain/people/access/UserSession.ts"
import { deleteExpired } from "./AcrossTenants.ts"

const every = "10 minutes"
/** Rows of each kind in one statement. */
const batch = 1_000

/** Removes all that is over now; gives how many rows. */
const removeExpired = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  return yield* inBatches(batch, deleteExpired(sql, now, now - sessionIdleMs, batch))
})

export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effectDiscard(
  periodically("what has expired could not be removed", { every }, removeExpired)
)
