/** Long lists: `{ data, page, limit, total, nextCursor }`, newest first. `cursor` continues where a part ended, even if records were added since. */
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Listed, Part, Place } from "../../domain/basics/Listing.ts"
import type { TimelinePlace } from "../../domain/messaging/conversations/Timeline.ts"
import { BadRequest } from "./Errors.ts"
import { pageOf, pageQuery, window } from "./Paging.ts"

/** The lists with cursors. A cursor names its list, because a place in one list is none in another. */
type ListName =
  | "broadcasts"
  | "chats"
  | "companies"
  | "contacts"
  | "conversationNotes"
  | "evaluationRuns"
  | "evaluations"
  | "imports"
  | "knowledgeBases"
  | "knowledgeSources"
  | "media"
  | "messages"
  | "orders"
  | "carts"
  | "paymentLinks"
  | "products"
  | "quickReplies"
  | "recipients"
  | "suppliers"
  | "templates"
  | "unansweredQuestions"

/** A part of the list with this name. */
interface PartOfList extends Part {
  readonly list: ListName
}

const encodeCursor = (list: ListName, { at, id }: Place): string =>
  Buffer.from(`${list}.${at}.${id}`).toString("base64url")

const decodeCursor = (cursor: string): (Place & { readonly list: string }) | undefined => {
  const found = /^([A-Za-z]{1,20})\.(\d{1,15})\.(\w{1,60})$/.exec(Buffer.from(cursor, "base64url").toString())
  return found === null ? undefined : { list: found[1], at: Number(found[2]), id: found[3] }
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

/** The requested part of the list with this name. Fails with 400 when the query has both page and cursor, or the cursor of another list. */
export const partOf = Effect.fnUntraced(function* (
  list: ListName,
  query: { readonly page?: number; readonly limit?: number; readonly cursor?: string }
) {
  if (query.cursor !== undefined && query.page !== undefined)
    return yield* new BadRequest({ error: "Send either page or cursor, not both." })
  const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor)
  if (query.cursor !== undefined && after === undefined)
    return yield* new BadRequest({ error: "cursor is invalid: it must be the nextCursor of an answer, unchanged." })
  if (after !== undefined && after.list !== list)
    return yield* new BadRequest({ error: "cursor is invalid: it is the nextCursor of another list." })
  const place = after === undefined ? {} : { after: { at: after.at, id: after.id } }
  const part: PartOfList = { list, ...window(query), ...place }
  return part
})

/** The body of the answer for one part of a long list. */
export const toList = <A>({ data, total, next }: Listed<A>, { list, page, limit }: PartOfList) => ({
  data,
  page,
  limit,
  total,
  nextCursor: next === null ? null : encodeCursor(list, next)
})

/**
 * The answer for a list that is requested often. It skips encoding, which would cost as much as decoding: the items were decoded when they were read,
 * and they are equal to their JSON form, as the type of `_item` ensures.
 */
export const listAnswer =
  <A>(_item: Schema.Codec<A, A>) =>
  (found: Listed<A>, part: PartOfList) =>
    HttpServerResponse.jsonUnsafe(toList(found, part))

/** The cursor of a timeline. A client hands it back unchanged. */
export const timelineCursor = ({ at, id }: TimelinePlace): string => Buffer.from(`${at}.${id}`).toString("base64url")

/** The inverse of `timelineCursor`; `undefined` for what is none. */
export const timelinePlaceOf = (cursor: string): TimelinePlace | undefined => {
  const found = /^(\d{1,16})\.(\w{1,60})$/.exec(Buffer.from(cursor, "base64url").toString())
  return found === null ? undefined : { at: found[1], id: found[2] }
}
