/** The app for Zapier: judged by Zapier's own schema, and at work against the service. */
import { createRequire } from "node:module"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { zapierPlatform } from "../../../src/http/docs/apps/ZapierApp.ts"
import { makeAutomationApp } from "../../support/automationApp.ts"
import { comesAbout } from "../../support/eventually.ts"
import { playsInRealTime } from "../../support/Slowness.ts"
import { startWebhooks } from "../../support/webhooks.ts"

playsInRealTime()

const require = createRequire(import.meta.url)
const schema: {
  readonly version: string
  readonly validateAppDefinition: (app: unknown) => { readonly errors: ReadonlyArray<{ readonly stack: string }> }
} = require("zapier-platform-schema")

type Perform = (z: unknown, bundle: unknown) => Promise<unknown>
interface Operation {
  readonly operation: Readonly<Record<"perform" | "performList" | "performSubscribe" | "performUnsubscribe", Perform>>
}
interface App {
  readonly authentication: { readonly test: Perform }
  readonly beforeRequest: ReadonlyArray<(request: object, z: unknown, bundle: unknown) => ZapierRequest>
  readonly afterResponse: ReadonlyArray<(response: object, z: unknown) => unknown>
  readonly triggers: Readonly<Record<string, Operation>>
  readonly creates: Readonly<Record<string, Operation>>
  readonly searches: Readonly<Record<string, Operation>>
}
interface ZapierRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly params?: Readonly<Record<string, string>>
}

const core = `exports.version = "${zapierPlatform}"`
const load = (folder: string): App => require(join(folder, "index.js"))

/** Functions as Zapier's tools write them down before they look at an app. */
const written = (value: unknown): unknown => {
  if (typeof value === "function") return `$func$${value.length}$f$`
  if (Array.isArray(value)) return value.map(written)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, written(part)]))
}

/** The part of Zapier's `z` that the app uses: requests with its middleware, and errors. */
const zOf = (app: App, bundle: unknown) => {
  class Refused extends Error {
    readonly status: number
    constructor(message: string, _name: string, status: number) {
      super(message)
      this.status = status
    }
  }
  const z = {
    errors: { Error: Refused, ThrottledError: Refused },
    request: async (asked: object) => {
      const request = app.beforeRequest.reduce((so, before) => before(so, z, bundle), asked as ZapierRequest)
      const url = new URL(request.url)
      for (const [name, value] of Object.entries(request.params ?? {})) url.searchParams.set(name, value)
      const { method, headers, body } = request
      const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) })
      const response = { status: answer.status, request, data: await answer.json(), getHeader: () => null }
      for (const after of app.afterResponse) after(response, z)
      return response
    }
  }
  return z
}

describe("the app for Zapier", () => {
  it.live("is as Zapier's schema demands it, and would be refused with a mistake in it", () =>
    Effect.gen(function* () {
      assert.strictEqual(require("zapier-platform-schema/package.json").version, zapierPlatform)
      const app = load(yield* makeAutomationApp("zapier", { "zapier-platform-core": core }))
      const problems = (of: unknown) => schema.validateAppDefinition(written(of)).errors.map(({ stack }) => stack)
      assert.deepStrictEqual(problems(app), [])
      assert.isAbove(Object.keys(app.triggers).length, 40)
      assert.notDeepEqual(problems({ ...app, triggers: { other_key: app.triggers.contact_created } }), [])
    }).pipe(Effect.scoped)
  )

  it.live("subscribes, is told, finds samples, fills drop-downs, acts, searches and unsubscribes", () =>
    Effect.gen(function* () {
      const { tenant, contact, receiver, worker, world } = yield* startWebhooks()
      yield* worker
      const app = load(yield* makeAutomationApp("zapier", { "zapier-platform-core": core }))
      yield* Effect.promise(async () => {
        const us = await tenant()
        const authData = { baseUrl: `${world.base}/`, apiKey: us.key }
        const run = (perform: Perform, more: object = {}) => {
          const bundle = { authData, inputData: {}, ...more }
          return perform(zOf(app, bundle), bundle)
        }
        assert.property(await run(app.authentication.test), "connected")
        const { operation } = app.triggers.contact_created
        const subscribeData = await run(operation.performSubscribe, { targetUrl: `${receiver.url}/zap` })
        const asha = await contact(us, "Asha")
        await comesAbout("the event came", () => receiver.to("/zap").length === 1)
        const cleanedRequest = JSON.parse(receiver.to("/zap")[0].body)
        assert.deepStrictEqual(await run(operation.perform, { cleanedRequest }), [cleanedRequest])
        assert.deepStrictEqual(await run(operation.performList), [cleanedRequest])

        const inputData = { phone: "+14155550190", name: "Ben", tags: ["poetry"], upsert: true, email: "" }
        const ben = await run(app.creates.contacts_create.operation.perform, { inputData })
        assert.deepInclude(ben, { name: "Ben", tags: ["poetry"], email: null })
        const lists = await run(app.triggers.contacts_tags.operation.perform)
        assert.deepStrictEqual(lists, [{ id: "poetry", name: "poetry" }])
        const find = app.searches.contacts_list.operation.perform
        const found = (await run(find, { inputData: { tag: "poetry" } })) as ReadonlyArray<{ id: string }>
        assert.deepStrictEqual(
          found.map(({ id }) => id),
          [Reflect.get(Object(ben), "id")]
        )
        const get = app.searches.contacts_get.operation.perform
        assert.deepStrictEqual(await run(get, { inputData: { id: asha.id } }), [{ ...asha }])
        assert.deepStrictEqual(await run(get, { inputData: { id: "cnt_unknown" } }), [])
        const refused = await run(app.creates.contacts_create.operation.perform, { inputData: { phone: "1" } }).catch(
          (error: unknown) => error
        )
        assert.instanceOf(refused, Error)
        assert.include(String(refused), "phone")
        for (const _ of ["first", "again"]) await run(operation.performUnsubscribe, { subscribeData })
      })
    }).pipe(Effect.scoped)
  )
})
