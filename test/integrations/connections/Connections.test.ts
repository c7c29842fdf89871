import { once } from "node:events"
import { createServer, type Server } from "node:net"
import { Worker } from "node:worker_threads"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { type Handler, listen, onlyConnecting, readBody } from "../../../simulators/support/Loopback.ts"
import { BodyLate, readText } from "../../../src/integrations/connections/Answer.ts"
import { makeConnections } from "../../../src/integrations/connections/Connections.ts"
import { playsInRealTime } from "../../support/Slowness.ts"

playsInRealTime()

/** A provider that counts its connections. */
const provider = (handler: Handler) =>
  Effect.gen(function* () {
    const loopback = yield* Effect.acquireRelease(
      Effect.promise(() => listen(handler)),
      ({ close }) => Effect.promise(close)
    )
    const stats = { open: 0, connections: 0 }
    loopback.server.on("connection", (socket) => {
      stats.connections++
      stats.open++
      socket.once("close", () => stats.open--)
    })
    return { url: loopback.url, stats }
  })

const echo: Handler = async (request, response) => {
  response.end(await readBody(request))
}

/** Accepts connections and never sends a byte, so that no TLS handshake completes. */
const mute = Effect.acquireRelease(
  Effect.callback<Server>((resume) => {
    const server = createServer((socket) => socket.on("error", () => undefined))
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) => Effect.sync(() => server.close())
)
const portOf = (server: Server) => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** Answers after 50 ms, even when this thread is blocked meanwhile. */
const elsewhere = Effect.gen(function* () {
  const worker = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new Worker(
          `const server = require("node:http").createServer((_, response) => setTimeout(() => response.end("here"), 50))
          server.listen(0, "127.0.0.1", () => require("node:worker_threads").parentPort.postMessage(server.address().port))`,
          { eval: true }
        )
    ),
    (worker) => Effect.promise(() => worker.terminate())
  )
  const [port] = yield* Effect.promise(() => once(worker, "message"))
  return `http://127.0.0.1:${port}`
})

/** Blocks this thread for this long, like a garbage collection or a frozen host. Timers are what the event loop runs next. */
const standStill = (ms: number) =>
  Effect.callback<void>((resume) => {
    setImmediate(() => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
      resume(Effect.void)
    })
  })

const request = (url: string, body = "hello") => ({ url, headers: {}, body })

describe("connections to providers", () => {
  it.live("are used again by the next request, and closed when they have been idle for long", () =>
    Effect.gen(function* () {
      const { url, stats } = yield* provider(echo)
      const { ask } = yield* makeConnections({ idleMs: 200 })
      for (const body of ["one", "two", "three"])
        assert.deepInclude(yield* ask(request(url, body)), { status: 200, text: body })
      assert.deepStrictEqual(stats, { open: 1, connections: 1 })
      while (stats.open > 0) yield* Effect.sleep("20 millis")
      assert.strictEqual((yield* ask(request(url))).status, 200)
      assert.deepStrictEqual(stats, { open: 1, connections: 2 })
    }).pipe(Effect.scoped)
  )

  it.live("are closed when an answer is abandoned before its end, and the next request opens another", () =>
    Effect.gen(function* () {
      const { url, stats } = yield* provider(async (request, response) => {
        if (!onlyConnecting(request, response)) response.write("endless")
      })
      const { post } = yield* makeConnections()
      const { status } = yield* Effect.scoped(post(request(url)))
      assert.strictEqual(status, 200)
      while (stats.connections < 2 || stats.open > 1) yield* Effect.sleep("5 millis")
      yield* Effect.sleep("50 millis")
      assert.deepStrictEqual(stats, { open: 1, connections: 2 })
    }).pipe(Effect.scoped)
  )

  it.live("can be opened ahead of the first request, once, without sending a request", () =>
    Effect.gen(function* () {
      const { url, stats } = yield* provider(async (request, response) => {
        if (!onlyConnecting(request, response)) await echo(request, response)
      })
      const { ask, warm } = yield* makeConnections()
      yield* warm(`${url}/v1/chat/completions`)
      while (stats.open === 0) yield* Effect.sleep("5 millis")
      yield* Effect.sleep("50 millis")
      yield* warm(url)
      assert.deepInclude(yield* ask(request(url, "first")), { status: 200, text: "first" })
      assert.deepStrictEqual(stats, { open: 1, connections: 1 })
      yield* warm("http://127.0.0.1:1")
      yield* warm("not an address")
    }).pipe(Effect.scoped)
  )

  it.live("are given up when they do not open in time, however long the answer may take", () =>
    Effect.gen(function* () {
      const server = yield* mute
      const { ask } = yield* makeConnections({ connectTimeoutMs: 100 })
      const began = performance.now()
      const error = yield* Effect.flip(ask(request(`https://127.0.0.1:${portOf(server)}`)))
      assert.match(error.message, /no connection within 100 ms/)
      assert.isBelow(performance.now() - began, 2_000)
      const slow = yield* provider(async (_, response) => void setTimeout(() => response.end("late"), 300))
      assert.strictEqual((yield* ask(request(slow.url))).text, "late")
    }).pipe(Effect.scoped)
  )

  it.live("are reported as lost when they are refused or cut, or when the address is invalid", () =>
    Effect.gen(function* () {
      const { ask } = yield* makeConnections()
      const cut = yield* provider(async (_, response) => void response.destroy())
      for (const url of ["http://127.0.0.1:1", cut.url, "not an address"])
        assert.match((yield* Effect.flip(ask(request(url)))).message, /^connection lost: ./)
    }).pipe(Effect.scoped)
  )

  it.live("accept an answer that came in time although this process was late to read it", () =>
    Effect.gen(function* () {
      const url = yield* elsewhere
      const { ask, post } = yield* makeConnections()
      yield* ask(request(url))
      const asked = yield* Effect.forkChild(ask({ ...request(url), timeoutMs: 150 }))
      const posted = yield* Effect.forkChild(post({ ...request(url), timeoutMs: 150 }))
      yield* Effect.sleep("20 millis")
      yield* standStill(400)
      assert.deepInclude(yield* Fiber.join(asked), { status: 200, text: "here" })
      const answer = yield* Fiber.join(posted)
      assert.strictEqual(yield* Effect.promise(() => readText(answer, 100, performance.now() + 150)), "here")
    }).pipe(Effect.scoped)
  )

  it.live("give a request up when its time is over, and the next request opens another", () =>
    Effect.gen(function* () {
      const { url, stats } = yield* provider(async (request, response) => {
        if (!onlyConnecting(request, response) && (await readBody(request)) === "half") response.write("a beginning")
      })
      const { ask, post } = yield* makeConnections()
      for (const body of ["none", "half"]) {
        const late = yield* Effect.flip(ask({ ...request(url, body), timeoutMs: 50 }))
        assert.deepInclude(late, { _tag: "AnswerLate", timeoutMs: 50 })
      }
      const late = yield* Effect.flip(Effect.scoped(post({ ...request(url, "none"), timeoutMs: 50 })))
      assert.strictEqual(late._tag, "AnswerLate")
      while (stats.open > 1) yield* Effect.sleep("5 millis")
    }).pipe(Effect.scoped)
  )

  it.live("do not wait for a trickling answer longer than the whole answer may take", () =>
    Effect.gen(function* () {
      const { url } = yield* provider(async (request, response) => {
        if (onlyConnecting(request, response)) return
        const drops = setInterval(() => response.write("."), 20)
        response.once("close", () => clearInterval(drops))
      })
      const { ask, post } = yield* makeConnections()
      assert.strictEqual((yield* Effect.flip(ask({ ...request(url), timeoutMs: 150 })))._tag, "AnswerLate")
      const read = post(request(url)).pipe(
        Effect.flatMap((answer) => Effect.tryPromise(() => readText(answer, 4_096, performance.now() + 150))),
        Effect.scoped
      )
      const { cause } = yield* Effect.flip(Effect.catchTag(read, "ConnectionLost", Effect.die))
      assert.instanceOf(cause, BodyLate)
    }).pipe(Effect.scoped)
  )
})
