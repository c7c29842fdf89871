import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import { group, servicesOfRequests } from "../../../src/http/server/RequestServices.ts"

class Shop extends Context.Service<Shop, { readonly name: string }>()("parley/domain/Shop") {}
class Door extends HttpApiMiddleware.Service<Door>()("parley/http/Door") {}

const api = HttpApi.make("test").add(
  HttpApiGroup.make("shop")
    .add(
      HttpApiEndpoint.get("ask", "/ask", {
        success: Schema.Struct({ shop: Schema.String, carried: Schema.Array(Schema.String) })
      })
    )
    .middleware(Door)
)

/** Answers with the services it was made with, and with those that its request carries. */
const handlers = group(
  api,
  "shop",
  Effect.fnUntraced(function* (handlers) {
    const { name } = yield* Shop
    return handlers.handle("ask", () =>
      Effect.map(Effect.context<never>(), ({ mapUnsafe }) => ({
        shop: name,
        carried: [...mapUnsafe.keys()].filter((key) => key.startsWith("parley/"))
      }))
    )
  })
)

describe("the services of a request", () => {
  it.effect("contain only the middleware, while handlers are made with all services", () =>
    Effect.gen(function* () {
      const routes = HttpApiBuilder.layer(api).pipe(
        Layer.provide(handlers),
        Layer.provide([
          Layer.succeed(Shop, { name: "corner" }),
          Layer.succeed(Door, (handler) => handler),
          HttpServer.layerServices
        ])
      )
      const { handler, dispose } = HttpRouter.toWebHandler(routes, { disableLogger: true })
      yield* Effect.addFinalizer(() => Effect.promise(dispose))
      const response = yield* Effect.promise(() => handler(new Request("http://localhost/ask")))
      const answer = yield* Effect.promise(() => response.json())
      assert.deepStrictEqual(answer, { shop: "corner", carried: ["parley/http/Door"] })
    }).pipe(Effect.scoped)
  )

  it("contain everything that is added, however many are added", () => {
    const numbered = Array.from({ length: 100 }, (_, n) =>
      Context.Service<{ readonly n: number }>(`parley/http/Number${n}`)
    )
    const start = servicesOfRequests(Context.make(Shop, { name: "corner" }))
    const full = numbered.reduce((context, key, n) => Context.add(context, key, { n }), start)
    numbered.forEach((key, n) => {
      assert.deepStrictEqual(Context.getOrUndefined(full, key), { n })
    })
    assert.isUndefined(Context.getOrUndefined(start, Shop))
  })
})
