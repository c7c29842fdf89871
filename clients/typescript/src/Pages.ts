/** Lists: their pages, and everything that they hold. */

export interface Page<Item> {
  readonly data: ReadonlyArray<Item>
  /** From 1. */
  readonly page: number
  /** The most entries of a page. */
  readonly limit: number
  /** How many there are in all. */
  readonly total: number
  /** Where the next page begins; null at the end. Lists without it go on by `page`. */
  readonly nextCursor?: string | null | undefined
}

/**
 * The answer of a list. `await` gives the first page, `for await` gives everything that it holds, page by page, and `pages()` gives the pages.
 */
export interface Listed<Item, Kind extends Page<Item> = Page<Item>> extends Promise<Kind>, AsyncIterable<Item> {
  readonly pages: () => AsyncIterable<Kind>
}

type Query = Readonly<Record<string, unknown>>

/** The query of the page after `page`; undefined at the end. A list that says as of when it is goes on as of then. */
const following = (page: Page<unknown> & { readonly asOf?: string }, query: Query): Query | undefined => {
  if (page.data.length === 0) return undefined
  const asOf = page.asOf === undefined ? {} : { asOf: page.asOf }
  if (page.nextCursor !== undefined) {
    const { page: _, ...rest } = query
    return page.nextCursor === null ? undefined : { ...rest, ...asOf, cursor: page.nextCursor }
  }
  return page.page * page.limit >= page.total ? undefined : { ...query, ...asOf, page: page.page + 1 }
}

/** Reads a list; `read` asks for one page of it. The first page is asked for at once. */
export const listed = <Item, Kind extends Page<Item>>(
  query: Query,
  read: (query: Query) => Promise<Kind>
): Listed<Item, Kind> => {
  const first = read(query)
  const pages = async function* () {
    let page = await first
    while (true) {
      yield page
      const next = following(page, query)
      if (next === undefined) return
      page = await read(next)
    }
  }
  const items = async function* () {
    for await (const page of pages()) yield* page.data
  }
  return Object.assign(first, { pages, [Symbol.asyncIterator]: items })
}
