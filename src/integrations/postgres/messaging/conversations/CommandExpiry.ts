/** Forgets which commands conversations have carried out. None comes a second time after its deadline, which is seconds; a day leaves room for clocks. */
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inBatches } from "../../../../domain/basics/InBatches.ts"
import { periodically } from "../../../../domain/basics/Periodically.ts"
import { forgetCommands } from "./AcrossTenants.ts"

const every = "1 hour"
const keptMs = 24 * 3_600_000
/** Rows in one statement. */
const batch = 1_000

/** Gives how many were forgotten. */
const forgetOld = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const before = (yield* Clock.currentTimeMillis) - keptMs
  return yield* inBatches(batch, forgetCommands(sql, before, batch))
})

export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effectDiscard(
  periodically("old commands of conversations could not be forgotten", { every }, forgetOld)
)
