/** Takes away once a day what was kept long enough: of calls, then of messages and of the service's own work. Every node asks each hour; one of them does it, and only what is left to do. */
import { Effect, Layer } from "effect"
import { OneNode } from "../../domain/basics/OneNode.ts"
import { periodically } from "../../domain/basics/Periodically.ts"
import { makeRunRetention } from "../../domain/privacy/RunRetention.ts"

/** Needs the stores, OneNode, MediaFiles and the object storage. Its fiber ends with the layer; a run that is cut off goes on at the next hour. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const oneNode = yield* OneNode
    const { run } = yield* makeRunRetention
    yield* periodically(
      "retention failed",
      { first: "1 minute", every: "1 hour", level: "error" },
      oneNode.run("retention", run)
    )
  })
)
