/** Takes away once a day what was kept long enough: of calls, then of messages and of the service's own work. Every node asks each hour; one of them does it, and only what is left to do. */
import { Effect, Layer, Schedule } from "effect"
import { OneNode } from "../domain/OneNode.ts"
import { makeRetention } from "../domain/RunRetention.ts"

/** Needs the stores, OneNode, MediaFiles and the object storage. Its fiber ends with the layer; a run that is cut off goes on at the next hour. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const oneNode = yield* OneNode
    const { run } = yield* makeRetention
    const hourly = oneNode.run("retention", run).pipe(
      Effect.catchCause((cause) => Effect.logError("retention failed", cause)),
      Effect.repeat(Schedule.spaced("1 hour"))
    )
    yield* Effect.forkScoped(Effect.andThen(Effect.sleep("1 minute"), hourly))
  })
)
