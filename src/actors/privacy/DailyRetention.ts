/**
 * Deletes expired records once a day: of calls, then of messages, then of the service's own work. Then the installation's log loses its old entries.
 * Every node asks each hour; one of them does the work that is left.
 */
import { Effect, Layer } from "effect"
import { OneNode } from "../../domain/basics/OneNode.ts"
import { periodically } from "../../domain/basics/Periodically.ts"
import { makeExpireInstallationLog } from "../../domain/operators/ExpireInstallationLog.ts"
import { makeRunRetention } from "../../domain/privacy/RunRetention.ts"

/** Needs the stores, InstallationLog, OneNode, MediaFiles and the object storage. Its fiber ends with the layer; the next hour continues a run that was cut off. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const oneNode = yield* OneNode
    const { run } = yield* makeRunRetention
    const expireLog = yield* makeExpireInstallationLog
    yield* periodically(
      "retention failed",
      { first: "1 minute", every: "1 hour", level: "error" },
      oneNode.run("retention", Effect.andThen(run, expireLog))
    )
  })
)
