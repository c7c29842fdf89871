/** A process that runs broadcasts until it is killed. Its database and its keys are in the environment. It prints `ready`. */
import { Effect, Layer } from "effect"
import { broadcastWorker } from "../../../support/broadcasting.ts"
import { environmentOf, storesOf } from "../../../support/stores.ts"

const stores = storesOf(environmentOf(process.env), 8)
// A lease that is short enough for a test to wait for.
const worker = broadcastWorker({ perSecond: 80, leaseMs: 2_000 }).pipe(Layer.provide(stores))

Effect.runFork(
  Effect.scoped(
    Effect.andThen(
      Layer.build(worker),
      Effect.andThen(
        Effect.sync(() => process.stdout.write("ready\n")),
        Effect.never
      )
    )
  )
)
