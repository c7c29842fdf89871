import { assert, describe, it } from "@effect/vitest"
import { OpenApi } from "effect/http-api"
import { AppApi, EngineApi } from "../../../src/http/groups/Api.ts"
import { Authorization } from "../../../src/http/middleware/Authorization.ts"
import { EngineSigned } from "../../../src/http/middleware/EngineSigned.ts"
import { bodyLimits } from "../../../src/http/Routes.ts"

const KB = 1024

interface Route {
  readonly method: string
  readonly path: string
  readonly middlewares: ReadonlySet<unknown>
}
const routes: ReadonlyArray<Route> = [AppApi, EngineApi].flatMap(({ groups }) =>
  Object.values(groups).flatMap(({ endpoints }) => Object.values(endpoints as Record<string, Route>))
)

describe("the largest body of a route", () => {
  it("is 256 KB, and what the route declares otherwise, whatever its parameters and query are", () => {
    const expected: Record<string, number> = {
      "POST /api/messaging-api/send": 256 * KB,
      "POST /no/such/route": 256 * KB,
      "POST /api/session": 8 * KB,
      "POST /api/session/?x=1": 8 * KB,
      "POST /api/users/accept-invitation": 8 * KB,
      "POST /api/webhooks/telephony/voice": 64 * KB,
      "POST /api/webhooks/telephony/outbound/call_1?x=/": 64 * KB,
      "POST /api/webhooks/messaging": 3 * KB * KB,
      "POST /api/messaging-api/broadcasts": 512 * KB,
      "POST /api/messaging-api/broadcasts/brd_1/start": 256 * KB,
      "PUT /api/voice-agents/agt_1": 512 * KB,
      "POST /api/media/upload": 17 * KB * KB,
      "PUT /engine/organizations/org_1/agents/agt_1": KB * KB
    }
    const found = Object.keys(expected).map((route) => {
      const [method, url] = route.split(" ")
      return [route, bodyLimits(method, url)]
    })
    assert.deepStrictEqual(Object.fromEntries(found), expected)
  })

  it("is in the OpenAPI document where it is not 256 KB", () => {
    const { paths } = OpenApi.fromApi(AppApi)
    const { post } = paths["/api/webhooks/messaging"]
    assert.strictEqual(Reflect.get(post ?? {}, "x-max-body-bytes"), 3 * KB * KB)
    assert.isUndefined(Reflect.get(paths["/api/messaging-api/send"].post ?? {}, "x-max-body-bytes"))
  })
})

describe("a route that needs a key or a signature", () => {
  it("checks it before anything else, so that no body is read or parsed for a stranger", () => {
    const guarded = routes.filter(({ middlewares }) => middlewares.has(Authorization) || middlewares.has(EngineSigned))
    assert.isAbove(guarded.length, 80)
    const late = guarded.filter(({ middlewares }) => {
      const outermost = [...middlewares].at(-1)
      return outermost !== Authorization && outermost !== EngineSigned
    })
    assert.deepStrictEqual(
      late.map(({ method, path }) => `${method} ${path}`),
      []
    )
  })
})
