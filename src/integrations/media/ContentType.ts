/** What a file is by its content (`file-type`); a claim, an extension or a header of the sender is not asked. */
import { Effect } from "effect"
import { FileTypeParser } from "file-type"

/** The parser reads what strangers wrote: it gets this long. */
const limit = "5 seconds"

/** The media type; `undefined` when the content is none that is known, or contradicts itself. */
export const contentTypeOf = (path: string): Effect.Effect<string | undefined> =>
  Effect.tryPromise((signal) => new FileTypeParser({ signal }).fromFile(path)).pipe(
    Effect.timeout(limit),
    Effect.map((found) => found?.mime),
    Effect.catch((error) => Effect.as(Effect.logInfo("the kind of a file could not be told", error), undefined))
  )
