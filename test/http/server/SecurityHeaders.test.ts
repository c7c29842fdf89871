import { createHash } from "node:crypto"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { WebSocket } from "ws"
import * as UwsHttpServer from "../../../src/http/server/UwsHttpServer.ts"
import { heardBy } from "../../support/rawSocket.ts"
import { makeWorld } from "../world.ts"

const authorization = "Bearer mk_1"

/** The headers that every answer has, in small letters. */
const common = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer"
}
const ofData = {
  ...common,
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cache-control": "no-store"
}

const has = (headers: Headers, expected: Readonly<Record<string, string>>, name: string) => {
  for (const [header, value] of Object.entries(expected)) assert.strictEqual(headers.get(header), value, name)
  for (const header of ["server", "uwebsockets", "x-powered-by"]) assert.isFalse(headers.has(header), name)
}

describe("the security headers", () => {
  it.live("are on answers of every kind, also on refusals", () =>
    Effect.gen(function* () {
      const { base, direct } = yield* makeWorld({ requestsPerMinute: 8 })
      const ask = (path: string, init: RequestInit = {}) =>
        Effect.promise(async () => {
          const response = await fetch(base + path, init)
          await response.body?.cancel()
          return response
        })
      const cases: ReadonlyArray<readonly [string, number, RequestInit?]> = [
        ["/healthz", 200],
        ["/openapi.json", 200],
        ["/api/voices", 200, { headers: { authorization } }],
        ["/api/voices", 401],
        ["/nowhere", 404],
        ["//nowhere", 404],
        ["/api/calls/%ff", 400],
        [
          "/api/voice-agents",
          400,
          { method: "POST", body: "{", headers: { authorization, "content-type": "application/json" } }
        ],
        ["/api/voices", 200, { method: "HEAD", headers: { authorization } }],
        ["/api/voices", 429, { headers: { authorization } }]
      ]
      for (const [path, status, init] of cases) {
        const response = yield* ask(path, init)
        assert.strictEqual(response.status, status, path)
        has(response.headers, ofData, path)
        assert.isNull(response.headers.get("strict-transport-security"))
      }
      const { text } = yield* Effect.promise(() =>
        heardBy(Number(new URL(direct).port), ["GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n"])
      )
      for (const [header, value] of Object.entries(ofData)) assert.include(text, `\r\n${header}: ${value}\r\n`)
    })
  )

  it.live("tell browsers to use TLS alone when users reach the service by it, also instead of an upgrade", () =>
    Effect.gen(function* () {
      const server = yield* Layer.build(
        UwsHttpServer.layer({
          port: 0,
          host: "127.0.0.1",
          drainMs: 100,
          overTls: true,
          register: (app, refuseUpgrade) => {
            app.ws("/socket", { upgrade: (res) => refuseUpgrade(res, 403, "Not you.") })
          }
        })
      )
      yield* Layer.build(
        HttpRouter.serve(HttpRouter.add("GET", "/", HttpServerResponse.stream(Stream.make(new Uint8Array(1)))), {
          disableLogger: true,
          disableListenLog: true
        }).pipe(Layer.provide([Layer.succeedContext(server), NodeHttpServer.layerHttpServices]))
      )
      const { address } = yield* HttpServer.HttpServer.pipe(Effect.provide(server))
      const host = `127.0.0.1:${"port" in address ? address.port : 0}`
      const tls = { "strict-transport-security": "max-age=31536000" }
      has((yield* Effect.promise(() => fetch(`http://${host}/`))).headers, { ...ofData, ...tls }, "a stream")
      const refused = yield* Effect.promise(
        () =>
          new Promise<{ readonly headers: Headers; readonly body: string }>((resolve, reject) => {
            const socket = new WebSocket(`ws://${host}/socket`)
            socket.on("error", reject)
            socket.on("unexpected-response", async (_request, response) => {
              let body = ""
              for await (const part of response) body += part
              resolve({
                headers: new Headers(Object.entries(response.headersDistinct).map(([n, v]) => [n, `${v}`])),
                body
              })
            })
          })
      )
      has(refused.headers, { ...ofData, ...tls }, "a refused upgrade")
      assert.deepStrictEqual(JSON.parse(refused.body), { error: "Not you." })
    })
  )

  it.live("let exactly the scripts of the documentation run, and let it load nothing from elsewhere", () =>
    Effect.gen(function* () {
      const { base } = yield* makeWorld()
      const response = yield* Effect.promise(() => fetch(`${base}/docs`))
      const page = yield* Effect.promise(() => response.text())
      has(response.headers, common, "/docs")
      const policy = new Map(
        (response.headers.get("content-security-policy") ?? "").split("; ").map((directive) => {
          const [name, ...values] = directive.split(" ")
          return [name, values] as const
        })
      )
      const scripts = page.split("<script>").slice(1)
      const hashes = scripts.map((rest) => {
        const script = rest.slice(0, rest.indexOf("</script>"))
        return `'sha256-${createHash("sha256").update(script).digest("base64")}'`
      })
      assert.lengthOf(hashes, 2)
      assert.deepStrictEqual(policy.get("script-src"), hashes)
      assert.deepStrictEqual(policy.get("default-src"), ["'none'"])
      assert.deepStrictEqual(policy.get("frame-ancestors"), ["'none'"])
      assert.deepStrictEqual(policy.get("connect-src"), ["'self'"])
      for (const values of policy.values()) for (const value of values) assert.notMatch(value, /http|\*|unsafe-eval/)
    })
  )
})
