/** Reads lists of the Cloud API. They come in pages; each page has a cursor to the next one. */
import { Effect, Schema } from "effect"
import type { ChannelUnavailable } from "../../domain/messaging/channel/MessagingChannel.ts"
import { type CloudApi, type CloudApiError, read } from "./CloudApiClient.ts"

const Paging = Schema.Struct({
  cursors: Schema.optionalKey(Schema.Struct({ after: Schema.optionalKey(Schema.String) })),
  next: Schema.optionalKey(Schema.String)
})

interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly paging?: typeof Paging.Type
}

/** Decodes a page of such items. Make it once, at module level. */
export const pageOf = <A>(item: Schema.ConstraintDecoder<A>) =>
  read(Schema.Struct({ data: Schema.Array(item), paging: Schema.optionalKey(Paging) }))

export interface CloudApiList<A> {
  readonly path: string
  readonly fields: string
  /** Made with `pageOf`. */
  readonly readPage: (document: unknown) => Effect.Effect<Page<A>, ChannelUnavailable>
  /** Guards against an endless list. */
  readonly mostPages: number
  /** Reading stops after the page with such an item. */
  readonly until?: (item: A) => boolean
}

const perPage = "100"

/** All items, read page by page. */
export const readAll = Effect.fnUntraced(function* <A>(
  { ask }: Pick<CloudApi["Service"], "ask">,
  accessToken: string,
  { path, fields, readPage, mostPages, until = () => false }: CloudApiList<A>
): Effect.fn.Return<ReadonlyArray<A>, CloudApiError | ChannelUnavailable> {
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
