/** Long lists: `{ data, page, limit, total, nextCursor }`, newest first. `cursor` continues where a part ended, even if records were added since. */
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Listed, Part, Place } from "../../domain/basics/Listing.ts"
import { BadRequest } from "./Errors.ts"
import { pageOf, pageQuery, window } from "./Paging.ts"

const encodeCursor = ({ at, id }: Place): string => Buffer.from(`${at}.${id}`).toString("base64url")

const decodeCursor = (cursor: string): Place | undefined => {
  const found = /^(\d{1,15})\.(\w{1,60})$/.exec(Buffer.from(cursor, "base64url").toString())
  return found === null ? undefined : { at: Number(found[1]), id: found[2] }
}

const Cursor = Schema.String.check(
  Schema.isMaxLength(200),
  Schema.makeFilter(
    (text: string) => decodeCursor(text) !== undefined || "must be the nextCursor of an answer, unchanged."
  )
)

/** The query of a long list. */
export const listQuery = { ...pageQuery, cursor: Schema.optionalKey(Cursor) }

export const listOf = <S extends Schema.Top>(item: S) =>
  Schema.Struct({ ...pageOf(item).fields, nextCursor: Schema.NullOr(Schema.String).annotate({ examples: [null] }) })

/** The requested part of a list. Fails with 400 when the query has both page and cursor. */
export const partOf = Effect.fnUntraced(function* (query: {
  readonly page?: number
  readonly limit?: number
  readonly cursor?: string
}) {
  if (query.cursor !== undefined && query.page !== undefined)
    return yield* new BadRequest({ error: "Send either page or cursor, not both." })
  const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor)
  const part: Part = { ...window(query), ...(after === undefined ? {} : { after }) }
  return part
})

/** The body of the answer for one part of a long list. */
export const toList = <A>({ data, total, next }: Listed<A>, { page, limit }: Part) => ({
  data,
  page,
  limit,
  total,
  nextCursor: next === null ? null : encodeCursor(next)
})

/**
 * The answer for a list that is requested often. It skips encoding, which would cost as much as decoding: the items were decoded when they were read,
 * and they are equal to their JSON form, as the type of `_item` ensures.
 */
export const listAnswer =
  <A>(_item: Schema.Codec<A, A>) =>
  (found: Listed<A>, part: Part) =>
    HttpServerResponse.jsonUnsafe(toList(found, part))
