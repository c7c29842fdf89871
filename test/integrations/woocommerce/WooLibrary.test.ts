/** WooCommerce's own library as judge: the simulated store answers it, and it asks for the same as the adapter does. */
import { createRequire } from "node:module"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import * as WooStore from "../../../simulators/store/WooCommerce.ts"
import { AppFailure, type AppSession } from "../../../src/domain/apps/AppSession.ts"
import * as WooCommerce from "../../../src/integrations/woocommerce/WooCommerce.ts"
import { wooOrder } from "../../support/storeEvents.ts"

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly data: unknown
}

type Parameters = Readonly<Record<string, string | number | boolean>>

/** The library, as far as it is used here. It is CommonJS. */
interface Library {
  readonly get: (path: string, parameters?: Parameters) => Promise<Answer>
  readonly post: (path: string, data: object) => Promise<Answer>
  readonly delete: (path: string, parameters: Parameters) => Promise<Answer>
}
const { default: WooCommerceRestApi }: { readonly default: new (options: object) => Library } = createRequire(
  import.meta.url
)("@woocommerce/woocommerce-rest-api")

/** What the library's HTTP client is asked for, as far as it matters here. */
interface Asked {
  readonly method: string
  readonly url: string
  readonly params?: Readonly<Record<string, string>>
  readonly auth?: { readonly username: string; readonly password: string }
  readonly headers: Readonly<Record<string, unknown>>
  readonly data?: string
}

/** The library for a store that is reached over https; its requests go to the simulator, unchanged. */
const libraryOf = (store: WooStore.WooSimulator, keys: typeof WooStore.wooKeys = WooStore.wooKeys) => {
  const adapter = async (config: Asked) => {
    const url = new URL(config.url.replace("https://store.example", store.url))
    for (const [name, value] of Object.entries(config.params ?? {})) url.searchParams.set(name, value)
    const { username = "", password = "" } = config.auth ?? {}
    const response = await fetch(url, {
      method: config.method.toUpperCase(),
      headers: {
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
        "content-type": String(config.headers["Content-Type"])
      },
      ...(config.data === undefined ? {} : { body: config.data })
    })
    const answer = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      data: JSON.parse(await response.text())
    }
    return response.ok ? answer : Promise.reject(Object.assign(new Error("refused"), { response: answer }))
  }
  return new WooCommerceRestApi({ url: "https://store.example", ...keys, version: "wc/v3", axiosConfig: { adapter } })
}

const ask: AppSession["ask"] = (request) =>
  Effect.gen(function* () {
    const response = yield* (yield* HttpClient.HttpClient).execute(request)
    return { status: response.status, headers: response.headers, text: yield* response.text }
  }).pipe(
    Effect.mapError(() => new AppFailure({ action: "retry", message: "No answer." })),
    Effect.provide(FetchHttpClient.layer)
  )

const opened = Effect.acquireRelease(
  Effect.promise(() => WooStore.start()),
  ({ close }) => Effect.promise(close)
)

/** A request with its parameters in one order. */
const sorted = (request: string | undefined) => {
  const [path, query = ""] = String(request).split("?")
  return [path, Object.fromEntries([...new URLSearchParams(query)].sort())]
}

describe("the simulated WooCommerce and its own library", () => {
  it.live("agree on pages, webhooks and refusals, and the adapter asks as the library does", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const store = yield* opened
        const orders = Array.from({ length: 250 }, (_, n) => wooOrder({ id: n + 1, minute: n % 50 }))
        store.lists.set("orders", orders)
        const official = libraryOf(store)
        const { inbound, pull } = WooCommerce.make({ plainHttp: true })
        assert.isDefined(inbound?.subscribe)
        assert.isDefined(pull)
        const session: AppSession = {
          organizationId: "org_1",
          settings: { url: store.url },
          credentials: { ...WooStore.wooKeys, currency: "USD" },
          ask,
          fetch: () => Effect.die("no files")
        }

        const since = Date.parse("2026-11-25T09:30:00Z")
        const now = since + 3_600_000
        const page = yield* pull.page(session, { kind: "order", since, cursor: null }, now)
        const asked = sorted(store.requests.at(-1))
        const listed = yield* Effect.promise(() =>
          official.get("orders", {
            ...{ per_page: 100, page: 1, orderby: "id", order: "asc", status: "any" },
            ...{ modified_after: "2026-11-25T09:25:00", dates_are_gmt: true }
          })
        )
        assert.deepStrictEqual(sorted(store.requests.at(-1)), asked)
        assert.strictEqual(listed.status, 200)
        const ids = (listed.data as ReadonlyArray<{ readonly id: number }>).map(({ id }) => String(id))
        assert.deepStrictEqual(
          page.records.flatMap((record) => (record._tag === "order" ? [record.externalId] : [])),
          ids
        )
        assert.strictEqual(listed.headers["x-wp-totalpages"], "2")
        assert.strictEqual(page.cursor, "2")

        const hook = "https://parley.example/api/integrations/woocommerce/webhooks/t"
        yield* inbound.subscribe(session, hook, now)
        const ours = store.webhooks.find(({ topic }) => topic === "order.updated")
        const body = {
          name: "Parley order.updated",
          topic: "order.updated",
          delivery_url: hook,
          secret: ours?.secret ?? ""
        }
        const made = yield* Effect.promise(() => official.post("webhooks", { ...body, status: "active" }))
        assert.strictEqual(made.status, 201)
        assert.notProperty(made.data, "secret")
        const theirs = store.webhooks.at(-1)
        assert.deepStrictEqual({ ...theirs, id: 0 }, { ...ours, id: 0 })
        yield* Effect.promise(() => official.delete(`webhooks/${theirs?.id}`, { force: true }))
        const byLibrary = sorted(store.requests.at(-1))
        assert.isDefined(inbound.unsubscribe)
        yield* inbound.unsubscribe(session, hook)
        assert.lengthOf(store.webhooks, 0)
        assert.deepStrictEqual(sorted(store.requests.at(-1))[1], byLibrary[1])

        const stranger = libraryOf(store, { ...WooStore.wooKeys, consumerSecret: "cs_wrong" })
        const refusal = yield* Effect.promise(() =>
          stranger.get("orders").then(
            () => undefined,
            (cause: { readonly response: { readonly status: number; readonly data: { readonly code: string } } }) =>
              cause.response
          )
        )
        assert.deepInclude(refusal, { status: 401 })
        assert.strictEqual(refusal?.data.code, "woocommerce_rest_cannot_view")
      })
    )
  )
})
