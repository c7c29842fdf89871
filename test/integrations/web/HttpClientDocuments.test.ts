import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { ClientDocuments } from "../../../src/domain/people/oauth/OAuthClient.ts"
import * as HttpClientDocuments from "../../../src/integrations/web/HttpClientDocuments.ts"

/** A server on loopback that counts what it is asked. */
const serving = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{ url: string; asked: () => number; close: () => void }>((resolve) => {
          let asked = 0
          const server = createServer((request, response) => {
            asked++
            listener(request, response)
          }).listen(0, "127.0.0.1", () =>
            resolve({
              url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/client.json`,
              asked: () => asked,
              close: () => {
                server.closeAllConnections()
                server.close()
              }
            })
          )
        })
    ),
    ({ close }) => Effect.sync(close)
  )

const json =
  (headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { "content-type": "application/json", ...headers })
    response.end('{"client_id":"x"}')
  }

const fetched = (id: string) => Effect.flatMap(ClientDocuments, (documents) => documents.fetch(id))
const here = HttpClientDocuments.layer({ allowPrivateNetwork: true, timeoutMs: 500 })

describe("the document of an OAuth client", () => {
  it.effect("is kept as long as its server says, 5 minutes if it says nothing, and never beyond a day", () =>
    Effect.gen(function* () {
      for (const [control, keptSeconds] of [
        [undefined, 300],
        ["public, max-age=60", 60],
        ["max-age=999999999", 86_400]
      ] as const) {
        const server = yield* serving(json(control === undefined ? {} : { "cache-control": control }))
        assert.deepStrictEqual(yield* fetched(server.url), { client_id: "x" })
        yield* TestClock.adjust(`${keptSeconds - 1} seconds`)
        yield* fetched(server.url)
        assert.strictEqual(server.asked(), 1, control)
        yield* TestClock.adjust("2 seconds")
        yield* fetched(server.url)
        assert.strictEqual(server.asked(), 2, control)
      }
      const server = yield* serving(json({ "cache-control": "no-store" }))
      yield* fetched(server.url)
      yield* fetched(server.url)
      assert.strictEqual(server.asked(), 2)
    }).pipe(Effect.provide(here))
  )

  it.effect("that cannot be had is not asked for again within half a minute", () =>
    Effect.gen(function* () {
      const answers: ReadonlyArray<readonly [RequestListener, RegExp]> = [
        [(_request, response) => response.writeHead(302, { location: "http://127.0.0.1/" }).end(), /answers with 302/],
        [(_request, response) => response.writeHead(404).end(), /answers with 404/],
        [(_request, response) => response.writeHead(200, { "content-type": "text/html" }).end("{}"), /not of type/],
        [(_request, response) => response.writeHead(200, { "content-type": "application/json" }).end("{"), /not JSON/],
        [
          (_request, response) =>
            response.writeHead(200, { "content-type": "application/json" }).end(`"${"x".repeat(40_000)}"`),
          /more than 32768 bytes/
        ],
        [(request) => request.socket.destroy(), /cannot be reached/]
      ]
      for (const [answer, sentence] of answers) {
        const server = yield* serving(answer)
        const { message } = yield* Effect.flip(fetched(server.url))
        assert.match(message, sentence)
        assert.strictEqual((yield* Effect.flip(fetched(server.url))).message, message)
        assert.strictEqual(server.asked(), 1)
        yield* TestClock.adjust("31 seconds")
        yield* Effect.flip(fetched(server.url))
        assert.strictEqual(server.asked(), 2)
      }
    }).pipe(Effect.provide(here))
  )

  it.live("of a server that never ends its answer is given up", () =>
    Effect.gen(function* () {
      const server = yield* serving((_request, response) => {
        response.writeHead(200, { "content-type": "application/json" })
        response.write("{")
      })
      assert.match((yield* Effect.flip(fetched(server.url))).message, /does not answer in time/)
    }).pipe(Effect.provide(here))
  )

  it.effect("is not fetched from a private address, or without TLS", () =>
    Effect.gen(function* () {
      const { refusal, fetch } = yield* ClientDocuments
      assert.strictEqual(refusal(new URL("http://client.example/c.json")), "does not use https")
      assert.isUndefined(refusal(new URL("https://client.example/c.json")))
      for (const host of ["127.0.0.1", "10.0.0.1", "169.254.169.254", "[::1]", "[::ffff:127.0.0.1]", "[fd00::1]"]) {
        const { message } = yield* Effect.flip(fetch(`https://${host}/c.json`))
        assert.match(message, /not on the public internet/, host)
      }
    }).pipe(Effect.provide(HttpClientDocuments.layer()))
  )
})
