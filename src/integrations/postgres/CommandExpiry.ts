/** Forgets which commands conversations have carried out. None comes a second time after its deadline, which is seconds; a day leaves room for clocks. */
import { Clock, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { forgetCommands } from "./CrossTenant.ts"

const every = "1 hour"
const keptMs = 24 * 3_600_000
/** Rows in one statement, so that none holds locks for long. */
const batch = 1_000

/** Gives how many were forgotten. */
export const forgetOld = Effect.gen(function* () {
  const before = (yield* Clock.currentTimeMillis) - keptMs
  let forgotten = 0
  while (true) {
    const gone = yield* forgetCommands(before, batch)
    forgotten += gone
    if (gone < batch) return forgotten
  }
})

export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effectDiscard(
  forgetOld.pipe(
    Effect.catchCause((cause) => Effect.logWarning("old commands of conversations could not be forgotten", cause)),
    Effect.andThen(Effect.sleep(every)),
    Effect.forever,
    Effect.forkScoped
  )
)
