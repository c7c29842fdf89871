/** Lists of the Cloud API, which come in pages with a cursor to the next. */
import { Effect } from "effect"
import { z } from "zod"
import type { ChannelUnavailable } from "../../domain/messaging/channel/MessagingChannel.ts"
import { type CloudApi, type CloudApiError, read } from "./CloudApiClient.ts"

export interface CloudApiList<A> {
  readonly path: string
  readonly fields: string
  readonly item: z.ZodType<A>
  /** The bound is against an endless list. */
  readonly mostPages: number
  /** Reading stops behind the page with such an item. */
  readonly until?: (item: A) => boolean
}

const perPage = "100"

const Paging = z
  .object({ cursors: z.object({ after: z.string() }).partial().optional(), next: z.string().optional() })
  .optional()

/** All items, page after page. */
export const readAll = Effect.fnUntraced(function* <A>(
  { ask }: Pick<CloudApi["Service"], "ask">,
  accessToken: string,
  { path, fields, item, mostPages, until = () => false }: CloudApiList<A>
): Effect.fn.Return<ReadonlyArray<A>, CloudApiError | ChannelUnavailable> {
  const readPage = read(z.object({ data: z.array(item), paging: Paging }))
  const found: Array<A> = []
  let after: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const query = { fields, limit: perPage, ...(after === undefined ? {} : { after }) }
    const { data, paging } = yield* readPage(yield* ask(accessToken, { method: "GET", path, query }))
    found.push(...data)
    after = paging?.next === undefined ? undefined : paging.cursors?.after
    if (after === undefined || data.some(until)) break
  }
  return found
})
