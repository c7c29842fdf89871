/** WooCommerce. Connected by the address of the store and the keys of its REST API. It tells of orders, customers and products by webhooks. */
import { Effect, Schema } from "effect"
import type { AppAdapter } from "../../domain/apps/AppAdapter.ts"
import type { AppArrival, PullRequest } from "../../domain/apps/AppInbound.ts"
import type { AppRecord } from "../../domain/apps/AppRecord.ts"
import { AppFailure, type AppSession } from "../../domain/apps/AppSession.ts"
import { cartMinutesProblem, reminderProblem } from "../../domain/apps/stores/Stores.ts"
import { exactJson } from "../../domain/basics/Json.ts"
import { type WooKind, wooRecords } from "./WooRecords.ts"
import { askWoo, decodedWoo, wooAddress } from "./WooRequests.ts"
import { subscribeWoo, unsubscribeWoo, verifyWoo, wooTopics } from "./WooWebhooks.ts"

const Settings = Schema.Struct({ value: Schema.String })
const Named = Schema.Struct({ id: Schema.Union([Schema.String, Schema.Number]) })
const Variable = Schema.Struct({
  id: Schema.Union([Schema.String, Schema.Number]),
  name: Schema.String,
  type: Schema.Literal("variable")
})
const asVariable = Schema.decodeUnknownOption(Variable)

interface Page {
  readonly path: string
  readonly size: number
  readonly query: string
  /** Customers cannot be askWoo for by the time of their change. */
  readonly changed: boolean
}
const pages: Readonly<Record<WooKind, Page>> = {
  customer: { path: "customers", size: 100, query: "&role=all", changed: false },
  product: { path: "products", size: 20, query: "&status=publish", changed: true },
  order: { path: "orders", size: 100, query: "&status=any", changed: true }
}
const isKind = (kind: string): kind is WooKind => Object.hasOwn(pages, kind)
const earlierMs = 5 * 60_000
const dayMs = 86_400_000
const gone = ["order.deleted", "product.deleted"]

const rowsOf = (text: string): Effect.Effect<ReadonlyArray<unknown>, AppFailure> => {
  const value = exactJson(text)
  return Array.isArray(value)
    ? Effect.succeed(value)
    : Effect.fail(new AppFailure({ action: "retry", message: "WooCommerce's answer could not be read." }))
}

/** `plainHttp`: the store may be askWoo over plain http, for stores on the operator's own machine. */
export const make = ({ plainHttp = false }: { readonly plainHttp?: boolean } = {}): AppAdapter => {
  /** The currency of products, which they do not name. It is stored with the credentials when the store is connected. */
  const currencyOf = Effect.fnUntraced(function* (session: AppSession) {
    const known = session.credentials.currency
    if (known !== undefined) return known
    const answer = yield* askWoo(session, { method: "GET", path: "settings/general/woocommerce_currency" })
    return (yield* decodedWoo(Settings, answer)).value
  })

  /** A product that has variations is those. */
  const productRecords = Effect.fnUntraced(function* (session: AppSession, value: unknown, currency: string) {
    const variable = asVariable(value)
    if (variable._tag === "None") return yield* wooRecords("product", value, { currency })
    const parent = { id: String(variable.value.id), name: variable.value.name }
    const answer = yield* askWoo(session, { method: "GET", path: `products/${parent.id}/variations?per_page=100` })
    const records = yield* Effect.forEach(yield* rowsOf(answer.text), (row) =>
      wooRecords("product", row, { currency, parent })
    )
    return records.flat()
  })

  const read = Effect.fnUntraced(function* (session: AppSession, { topic, payload, at }: AppArrival, now: number) {
    const kind = wooTopics[topic]
    const value = exactJson(payload)
    if (gone.includes(topic)) {
      const { id } = yield* Effect.mapError(
        Schema.decodeUnknownEffect(Named)(value),
        () => new AppFailure({ action: "give_up", message: "WooCommerce sent a deletion that could not be read." })
      )
      const what = kind === "order" ? "order" : "product"
      const removed: AppRecord = { _tag: "removed", what, externalId: String(id), updatedAt: at ?? now }
      return [removed]
    }
    if (kind !== "product") return yield* wooRecords(kind, value)
    return yield* productRecords(session, value, yield* currencyOf(session))
  })

  const page = Effect.fnUntraced(function* (session: AppSession, { kind, since, cursor }: PullRequest) {
    if (!isKind(kind)) return { records: [], cursor: null }
    const { path, size, query, changed } = pages[kind]
    const number = cursor === null ? 1 : Number(cursor)
    const from =
      since === null || !changed
        ? ""
        : `&modified_after=${encodeURIComponent(new Date(since - earlierMs).toISOString().slice(0, 19))}&dates_are_gmt=true`
    const paging = `per_page=${size}&page=${number}&orderby=id&order=asc`
    const answer = yield* askWoo(session, { method: "GET", path: `${path}?${paging}${query}${from}` })
    const rows = yield* rowsOf(answer.text)
    const currency = kind === "product" ? yield* currencyOf(session) : ""
    const records = yield* Effect.forEach(rows, (row) =>
      Effect.catchIf(
        kind === "product" ? productRecords(session, row, currency) : wooRecords(kind, row),
        // One record that cannot be read does not keep the others from coming.
        ({ action }) => action === "give_up",
        ({ message }) =>
          Effect.as(Effect.logWarning("a record of WooCommerce was left out", { kind, reason: message }), [])
      )
    )
    const last = Number(answer.headers["x-wp-totalpages"] ?? 1)
    return { records: records.flat(), cursor: number < last ? String(number + 1) : null }
  })

  return {
    rate: { requests: 20, windowMs: 10_000 },
    atOnce: 2,
    problem: ({ settings }) => {
      const { url } = settings
      if (typeof url !== "string" || !URL.canParse(url)) return "settings.url is required: the address of the store."
      return plainHttp || new URL(url).protocol === "https:"
        ? (cartMinutesProblem(settings) ?? reminderProblem(settings))
        : "settings.url is invalid: it must begin with https://, because the keys are sent with each request."
    },
    identify: Effect.fnUntraced(function* (session) {
      yield* askWoo(session, { method: "GET", path: "orders?per_page=1" })
      const { host, pathname } = new URL(wooAddress(session.settings))
      const name = `${host}${pathname.replace(/\/$/, "")}`
      return { id: name, name }
    }),
    inbound: {
      verify: verifyWoo,
      read,
      subscribe: Effect.fnUntraced(function* (session, webhookUrl) {
        const learned = yield* subscribeWoo(session, webhookUrl)
        return { ...learned, currency: yield* currencyOf(session) }
      }),
      unsubscribe: unsubscribeWoo
    },
    pull: { kinds: ["customer", "product", "order"], page, everyMs: dayMs }
  }
}
