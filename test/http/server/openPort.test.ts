/** A port that is open before there is a server for it. */
import { setTimeout as sleep } from "node:timers/promises"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as UwsHttpServer from "../../../src/http/server/UwsHttpServer.ts"

const options = { port: 0, host: "127.0.0.1", drainMs: 100 }

/** A server for the port, which says what it was sent. `served` lists the requests that reached it. */
const serveAt = Effect.fnUntraced(function* (opened: UwsHttpServer.OpenPort, more: object = {}) {
  const served: Array<string> = []
  const route = HttpRouter.add(
    "*",
    "/*",
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      served.push(request.url)
      return HttpServerResponse.text(`${request.method} ${yield* Effect.orDie(request.text)}`)
    })
  )
  yield* Layer.build(
    HttpRouter.serve(route, { disableLogger: true, disableListenLog: true }).pipe(
      Layer.provide([UwsHttpServer.layer({ ...options, ...more }, opened), NodeHttpServer.layerHttpServices])
    )
  )
  return served
})

const addressOf = ({ address }: UwsHttpServer.OpenPort) =>
  `http://127.0.0.1:${"port" in address ? address.port : assert.fail("no port")}`

describe("a port that is open before there is a server", () => {
  it.live("keeps requests waiting, with their bodies, and those of clients who went away never begin", () =>
    Effect.gen(function* () {
      const opened = yield* UwsHttpServer.open({ ...options, waiting: {} })
      const url = addressOf(opened)
      const impatient = new AbortController()
      const asked = [
        fetch(`${url}/a`),
        fetch(`${url}/b`, { method: "POST", body: "x".repeat(200_000) }),
        fetch(`${url}/c`, { signal: impatient.signal }).catch(() => undefined)
      ]
      yield* Effect.promise(() => sleep(100))
      impatient.abort()
      yield* Effect.promise(() => sleep(50))
      const served = yield* serveAt(opened)
      const [first, second] = yield* Effect.promise(() => Promise.all(asked))
      assert.strictEqual(first?.status, 200)
      assert.strictEqual(yield* Effect.promise(async () => (await second?.text())?.length), 200_005)
      assert.deepStrictEqual(served.toSorted(), ["/a", "/b"])
    }).pipe(Effect.scoped)
  )

  it.live("refuses the request that is one too many, and those that wait too long, and says when to come again", () =>
    Effect.gen(function* () {
      const opened = yield* UwsHttpServer.open({ ...options, waiting: { most: 1, patienceMs: 150 } })
      const url = addressOf(opened)
      const began = performance.now()
      const waits = fetch(`${url}/a`)
      yield* Effect.promise(() => sleep(50))
      const refused = yield* Effect.promise(() => fetch(`${url}/b`))
      assert.isBelow(performance.now() - began, 150)
      const late = yield* Effect.promise(() => waits)
      for (const { status, headers } of [refused, late]) {
        assert.strictEqual(status, 500)
        assert.strictEqual(headers.get("retry-after"), "1")
      }
      // There is room again.
      const next = fetch(`${url}/c`)
      yield* Effect.promise(() => sleep(20))
      yield* serveAt(opened)
      assert.strictEqual((yield* Effect.promise(() => next)).status, 200)
    }).pipe(Effect.scoped)
  )

  it.live("closes each connection after its answer while its clients are sent away", () =>
    Effect.gen(function* () {
      let closesConnections = false
      const more = { closesConnections: () => closesConnections }
      const opened = yield* UwsHttpServer.open({ ...options, ...more })
      yield* serveAt(opened, more)
      const connection = Effect.promise(async () => {
        const response = await fetch(addressOf(opened))
        await response.text()
        return response.headers.get("connection")
      })
      assert.notStrictEqual(yield* connection, "close")
      closesConnections = true
      assert.strictEqual(yield* connection, "close")
    }).pipe(Effect.scoped)
  )
})
