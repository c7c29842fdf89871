import { Agent, request } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { AppApi, EngineApi } from "../../../src/http/groups/Api.ts"
import { makeWorld, type World } from "../world.ts"

const scenario = (name: string, run: (world: World) => Promise<void>) =>
  it.live(name, () => Effect.flatMap(makeWorld(), (world) => Effect.promise(() => run(world))))

const agent = new Agent({ keepAlive: true })

/** The status and the body of the answer to an address as it is: `fetch` would make it canonical. */
const ask = ({ base }: World, target: string, method = "GET") =>
  new Promise<{ readonly status: number | undefined; readonly body: string }>((resolve, reject) => {
    const sent = request(base, { agent, method, path: target, headers: { authorization: "Bearer mk_1" } })
    sent.on("response", async (response) => {
      let body = ""
      for await (const part of response) body += part
      resolve({ status: response.statusCode, body })
    })
    sent.on("error", reject)
    sent.end()
  })

/** Other spellings of a path, which other programs take for the same or for another one. */
const otherSpellings = (path: string): ReadonlyArray<string> => {
  const [, first, ...rest] = path.split("/")
  const code = first.charCodeAt(0).toString(16)
  return [
    `/${[first.toUpperCase(), ...rest].join("/")}`,
    `/${path}`,
    `${path}/`,
    `${path};x`,
    `${path};x=/y`,
    `/x/..${path}`,
    `/.${path}`,
    `/%2e${path}`,
    `/%${code}${[first.slice(1), ...rest].join("/")}`
  ]
}

interface Declared {
  readonly groups: Readonly<
    Record<string, { readonly endpoints: Readonly<Record<string, { readonly method: string; readonly path: string }>> }>
  >
}
const routesOf = ({ groups }: Declared) =>
  Object.values(groups).flatMap(({ endpoints }) =>
    Object.values(endpoints).map(({ method, path }) => ({ method, path: path.replace(/(?<=.)\/$/, "") }))
  )

const elsewhere = { error: "There is nothing at this address." }

describe("an address", () => {
  scenario("has one spelling at every route without parameters", async (world) => {
    const routes = [
      ...[...routesOf(AppApi), ...routesOf(EngineApi)],
      ...["/healthz", "/readyz", "/docs", "/openapi.json", "/openapi-operators.json"].map((path) => ({
        method: "GET",
        path
      }))
    ].filter(({ path }) => !path.includes(":"))
    assert.isAbove(routes.length, 40)
    for (const { method, path } of routes) {
      const asked = otherSpellings(path).map(async (target) => [target, await ask(world, target, method)] as const)
      for (const [target, { status, body }] of await Promise.all(asked)) {
        assert.strictEqual(status, 404, `${method} ${target}`)
        assert.deepStrictEqual(JSON.parse(body), elsewhere, `${method} ${target}`)
      }
    }
  })

  scenario("with parameters is not taken for one with an empty parameter", async (world) => {
    for (const target of ["/api/calls/", "/api/calls//recording", "/api/calls/a;b", "/api/Calls/a"])
      assert.deepStrictEqual(JSON.parse((await ask(world, target)).body), elsewhere, target)
  })

  scenario("is refused when it is not UTF-8, or has a control character or a fragment", async (world) => {
    const sentences: ReadonlyArray<readonly [string, RegExp]> = [
      ["/api/calls/%ff", /not UTF-8/],
      ["/api/calls/%c3%28", /not UTF-8/],
      ["/api/calls/%zz", /not UTF-8/],
      ["/api/messaging-api/contacts?search=%ff", /not UTF-8/],
      ["/api/messaging-api/contacts?search=100%", /not UTF-8/],
      ["/api/calls/a%00", /control character/],
      ["/api/calls/a%1f", /control character/],
      ["/api/messaging-api/contacts?search=%00", /control character/],
      ["/api/messaging-api/contacts?search=a%0ab", /control character/],
      ["/api/webhooks/telephony/status?call=%01", /control character/],
      ["/engine/organizations/o%00/calls", /control character/],
      ["/healthz#x", /must be written as %23/]
    ]
    for (const [target, expected] of sentences) {
      const { status, body } = await ask(world, target)
      assert.strictEqual(status, 400, target)
      assert.match((JSON.parse(body) as { error: string }).error, expected, target)
    }
  })

  scenario("may have letters of any language in its query", async (world) => {
    for (const search of ["M%C3%BCller", "%E0%A4%A8+a%2Bb", "a;b/c?d:@!$'()*,~"])
      assert.strictEqual((await ask(world, `/healthz?search=${search}`)).status, 200, search)
  })
})
