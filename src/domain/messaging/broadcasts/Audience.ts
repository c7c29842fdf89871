/** Whom a broadcast is for. */
import { Schema } from "effect"
import { plainText } from "../../basics/PlainText.ts"

/** The union of the contacts with any of the tags, the contacts named by id, and, with `all`, everybody who has opted in; each contact once. */
export const Audience = Schema.Struct({
  all: Schema.optionalKey(Schema.Literal(true)),
  tags: Schema.optionalKey(Schema.Array(plainText(64)).check(Schema.isMaxLength(50))),
  contactIds: Schema.optionalKey(Schema.Array(plainText(60)).check(Schema.isMaxLength(10_000)))
}).check(
  Schema.makeFilter(
    ({ all, tags = [], contactIds = [] }) =>
      all === true || tags.length + contactIds.length > 0 || "must name somebody: send all, tags or contactIds."
  )
)
export type Audience = typeof Audience.Type
