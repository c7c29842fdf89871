/**
 * Removes old records of commands that conversations have carried out. A command is not repeated after its deadline of some seconds, so one day
 * also covers differences between clocks.
 */
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inBatches } from "../../../../domain/basics/InBatches.ts"
import { periodically } from "../../../../domain/basics/Periodically.ts"
import { forgetCommands } from "./AcrossTenants.ts"

const every = "1 hour"
const keptMs = 24 * 3_600_000
/** Rows that one statement removes at most. */
const batch = 1_000

/** Gives the number of records removed. */
const forgetOld = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const before = (yield* Clock.currentTimeMillis) - keptMs
  return yield* inBatches(batch, forgetCommands(sql, before, batch))
})

export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effectDiscard(
  periodically("old commands of conversations could not be forgotten", { every }, forgetOld)
)
