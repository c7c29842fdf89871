/** `If-Match`: the `updatedAt` of the record that a client has changed, so that a save does not overwrite that of somebody else. */
import { Schema } from "effect"

export const ifMatch = Schema.Struct({
  "if-match": Schema.optionalKey(Schema.String.check(Schema.isMaxLength(100)))
})

/** When the record was saved that the client has read; undefined when it does not say. */
export const readAtOf = (headers: typeof ifMatch.Type): string | undefined => headers["if-match"]?.replaceAll('"', "")
