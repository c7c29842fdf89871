/** Syncs the templates of every organization once an hour. Every node asks; one of them does it, and only what was not synced lately. */
import { Effect, Layer, Schedule } from "effect"
import { OneNode } from "../domain/OneNode.ts"
import { makeSyncAllTemplates } from "../domain/SyncTemplates.ts"

/** Needs the stores, OneNode and MessagingChannel. Its fiber ends with the layer. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const oneNode = yield* OneNode
    const sync = yield* makeSyncAllTemplates
    const hourly = oneNode.run("template sync", sync).pipe(
      Effect.catchCause((cause) => Effect.logError("the sync of templates failed", cause)),
      Effect.repeat(Schedule.spaced("1 hour"))
    )
    yield* Effect.forkScoped(Effect.andThen(Effect.sleep("2 minutes"), hourly))
  })
)
