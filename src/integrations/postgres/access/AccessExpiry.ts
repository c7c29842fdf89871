/** Removes expired idempotency keys, sessions and OAuth tokens of all organizations. Every process does this; they do not disturb each other. */
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inBatches } from "../../../domain/basics/InBatches.ts"
import { periodically } from "../../../domain/basics/Periodically.ts"
import { sessionIdleMs } from "../../../domain/people/access/UserSession.ts"
import { deleteExpired, deleteExpiredOAuth } from "./AcrossTenants.ts"

const every = "10 minutes"
/** Rows of each kind that one statement removes at most. */
const batch = 1_000

const dayMs = 24 * 60 * 60 * 1_000
/** An OAuth client that nobody has used goes after a day, and one that was used after so many days without a new connection. */
const forgottenAfterDays = 180

/** Removes all rows that have expired by now. Gives the number of rows removed. */
const removeExpired = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const ofSessions = yield* inBatches(batch, deleteExpired(sql, now, now - sessionIdleMs, batch))
  const forgottenSince = now - forgottenAfterDays * dayMs
  return ofSessions + (yield* inBatches(batch, deleteExpiredOAuth(sql, now, now - dayMs, forgottenSince, batch)))
})

export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effectDiscard(
  periodically("what has expired could not be removed", { every }, removeExpired)
)
