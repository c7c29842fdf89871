/** Finishes uploads and removals of files that were cut off. Every app process runs it; they do not disturb each other. */
import { Effect, Layer } from "effect"
import { periodically } from "../../../domain/basics/Periodically.ts"
import { MediaFiles } from "../../../domain/messaging/media/Media.ts"

const every = "10 minutes"

/** Needs MediaFiles. Its fiber ends with the layer. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { settle } = yield* MediaFiles
    const sweep = Effect.tap(settle, (count) =>
      count === 0 ? Effect.void : Effect.logInfo("removed what cut-off uploads and removals left", { count })
    )
    yield* periodically("what was left of files could not be removed", { every }, sweep)
  })
)
