/** Detects the type of a file from its content (`file-type`). The sender's claim, extension and headers are ignored. */
import { Effect } from "effect"
import { FileTypeParser } from "file-type"

/** The time limit of the parser, which reads files of strangers. */
const limit = "5 seconds"

/** The media type; `undefined` when the content has no known type, or contradicts itself. */
export const contentTypeOf = (path: string): Effect.Effect<string | undefined> =>
  Effect.tryPromise((signal) => new FileTypeParser({ signal }).fromFile(path)).pipe(
    Effect.timeout(limit),
    Effect.map((found) => found?.mime),
    Effect.catch((error) => Effect.as(Effect.logInfo("the kind of a file could not be told", error), undefined))
  )
