/** Cursors of lists that have pages: they hold the number of the page, its size, and for some the instant that the list is seen at. */
import { Effect } from "effect"
import { isInstant } from "../../../domain/basics/Calendar.ts"
import { ToolRefusal } from "../protocol/ToolRefusal.ts"

export interface PagePlace {
  readonly page: number
  readonly limit: number
  readonly asOf?: string
}

const wrong = new ToolRefusal({
  message: "cursor is invalid: it must be the cursor of this tool's last answer, unchanged.",
  next: "Leave cursor out to begin with the first rows."
})

/** The place that a cursor names; without one the first page. A cursor keeps its own limit, because pages of another size are other pages. */
export const readPageCursor = Effect.fnUntraced(function* (
  list: string,
  cursor: string | undefined,
  limit: number
): Effect.fn.Return<PagePlace, ToolRefusal> {
  if (cursor === undefined) return { page: 1, limit }
  const [name, page, size, asOf] = Buffer.from(cursor, "base64url").toString().split("|")
  const isNumber = (text: string | undefined) => text !== undefined && /^[1-9]\d{0,6}$/.test(text)
  if (name !== list || !isNumber(page) || !isNumber(size) || Number(size) > 100) return yield* wrong
  if (asOf !== undefined && !isInstant(asOf)) return yield* wrong
  return { page: Number(page), limit: Number(size), ...(asOf === undefined ? {} : { asOf }) }
})

/** The arguments that get the next page; null after the last one. */
export const pageCursor = (list: string, { page, limit, asOf }: PagePlace, total: number): object | null => {
  if (page * limit >= total) return null
  const parts = [list, page + 1, limit, ...(asOf === undefined ? [] : [asOf])]
  return { cursor: Buffer.from(parts.join("|")).toString("base64url") }
}
