/** The lists of orders that people and programs ask for: by page and cursor, sorted, filtered and searched. */
import type { Kind } from "../desk/OpenLoop.ts"
import { contactId, contactsOf, conversationId, statuses } from "./Orders.ts"

/** The same numbers in every run: spread over `most`, in no order. */
const spread = (n: number, most: number): number => 1 + ((n * 48_271 + 11) % most)
const pick = <A>(n: number, from: ReadonlyArray<A>): A => from[n % from.length]

/** `ask` reads a path of the REST interface. */
export const listsOf = (ask: (path: string) => Promise<unknown>, orders: number): ReadonlyArray<Kind> => {
  const contacts = contactsOf(orders)
  let cursor: string | null = null
  const get = (name: string, query: (n: number) => Readonly<Record<string, string | number>>): Kind => ({
    name,
    send: async (n) => {
      const text = Object.entries(query(n)).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
      await ask(`/api/orders?${text.join("&")}`)
    }
  })
  return [
    get("newest, by page", (n) => ({ page: 1 + (n % 20) })),
    {
      name: "by cursor",
      send: async () => {
        const answer = await ask(`/api/orders?limit=100${cursor === null ? "" : `&cursor=${cursor}`}`)
        cursor = (answer as { readonly nextCursor: string | null }).nextCursor
      }
    },
    get("sorted", (n) => ({ sort: pick(n, ["createdAt", "-updatedAt", "updatedAt"]), page: 1 + (n % 5) })),
    get("of a status", (n) => ({ status: pick(n, statuses), page: 1 + (n % 5) })),
    get("of a status, sorted", (n) => ({ status: pick(n, statuses), sort: pick(n, ["updatedAt", "-updatedAt"]) })),
    get("of a contact", (n) => ({ contactId: contactId(spread(n, contacts)) })),
    get("of a conversation", (n) => ({ conversationId: conversationId(spread(n, contacts)) })),
    get("of a number", (n) => ({ number: spread(n, orders) })),
    get("archived", (n) => ({ archived: "true", page: 1 + (n % 5) })),
    get("search of a number", (n) => ({ search: spread(n, orders) })),
    get("search of a rare word", (n) => ({ search: 100 + (n % 1_900) })),
    get("search of frequent words", (n) => ({ search: pick(n, ["atlas", "of", "rivers of", "bk", "stories"]) })),
    get("search of two words", (n) => ({
      search: pick(n, ["atlas rivers", "guide stars", "maps of bees", "nights ships"])
    })),
    get("search of a beginning", (n) => ({ search: pick(n, ["a", "riv", "1", "99", "zz", "b"]) })),
    get("search among a status", (n) => ({ search: pick(n, ["atlas", "bk 427", "whales"]), status: pick(n, statuses) }))
  ]
}
