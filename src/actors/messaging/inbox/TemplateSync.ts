/** Syncs the templates of every organization once an hour. Every node asks; one of them syncs those that were not synced lately. */
import { Effect, Layer } from "effect"
import { OneNode } from "../../../domain/basics/OneNode.ts"
import { periodically } from "../../../domain/basics/Periodically.ts"
import { makeSyncAllTemplates } from "../../../domain/messaging/templates/SyncTemplates.ts"

/** Needs the stores, OneNode and MessagingChannel. Its fiber ends with the layer. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const oneNode = yield* OneNode
    const sync = yield* makeSyncAllTemplates
    yield* periodically(
      "the sync of templates failed",
      { first: "2 minutes", every: "1 hour", level: "error" },
      oneNode.run("template sync", sync)
    )
  })
)
