import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { type McpServerOptions, start, text } from "../../../simulators/mcp/McpServer.ts"
import { eventually } from "../../support/eventually.ts"
import { poolFor, serverAt } from "./pool.ts"

const track = {
  name: "track_parcel",
  title: "Track a parcel",
  description: "Says where a parcel is.",
  inputSchema: { type: "object", properties: { number: { type: "string" } }, required: ["number"] },
  run: ({ number }: Readonly<Record<string, unknown>>) => text(`Parcel ${number} is in Pune.`)
} as const

const running = (options: Partial<McpServerOptions> = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => start({ tools: [track], ...options })),
    (server) => Effect.promise(server.close)
  )

const kinds = ["sessions", "sse", "stateless"] as const

describe("a pool of MCP connections", () => {
  for (const kind of kinds)
    it.live(`lists and calls tools of a server of the kind ${kind}, over one connection`, () =>
      Effect.gen(function* () {
        const remote = yield* running({ kind, token: "let-me-in" })
        const pool = yield* poolFor(serverAt(remote.url, { auth: { type: "token" } }))
        pool.token = "let-me-in"
        const { transport, offered } = yield* pool.client.test(pool.server)
        assert.strictEqual(transport, kind === "sse" ? "sse" : "streamable_http")
        const { run: _, ...tool } = track
        assert.deepStrictEqual(offered, [tool])
        assert.strictEqual(pool.server.health.status, "ok")
        for (const number of ["1", "2"])
          assert.deepStrictEqual(yield* pool.client.call(pool.server, "track_parcel", { number }), {
            outcome: "ok",
            result: `Parcel ${number} is in Pune.`
          })
        assert.deepStrictEqual(
          remote.called.map(({ input }) => input),
          [{ number: "1" }, { number: "2" }]
        )
        assert.strictEqual(remote.state.sessions, kind === "stateless" ? 0 : 1)
      })
    )

  for (const kind of kinds)
    it.live(`reads the list again when a server of the kind ${kind} says that it changed`, () =>
      Effect.gen(function* () {
        const remote = yield* running({ kind })
        const pool = yield* poolFor(serverAt(remote.url))
        yield* pool.client.test(pool.server)
        yield* Effect.promise(() => remote.offer([track, { ...track, name: "cancel_parcel" }]))
        yield* eventually("the new list is stored", () => {
          assert.deepStrictEqual(
            pool.server.offered.map(({ name }) => name),
            ["track_parcel", "cancel_parcel"]
          )
          return true
        })
      })
    )

  it.live("connects ahead of a call, once", () =>
    Effect.gen(function* () {
      const remote = yield* running()
      const pool = yield* poolFor(serverAt(remote.url))
      yield* pool.client.warm("org_1", ["mcs_1"])
      yield* pool.client.warm("org_1", ["mcs_1"])
      yield* eventually("the list is stored", () => {
        assert.lengthOf(pool.server.offered, 1)
        return true
      })
      yield* pool.client.call(pool.server, "track_parcel", { number: "1" })
      assert.strictEqual(remote.state.sessions, 1)
    })
  )

  it.live("sends a request again when the server has forgotten the session", () =>
    Effect.gen(function* () {
      const remote = yield* running()
      const pool = yield* poolFor(serverAt(remote.url))
      yield* pool.client.test(pool.server)
      remote.forget()
      const answer = yield* pool.client.call(pool.server, "track_parcel", { number: "7" })
      assert.deepStrictEqual(answer, { outcome: "ok", result: "Parcel 7 is in Pune." })
      assert.strictEqual(remote.state.sessions, 2)
      assert.lengthOf(remote.called, 1)
    })
  )

  it.live("makes a new connection when the address or the credentials have changed", () =>
    Effect.gen(function* () {
      const remote = yield* running()
      const pool = yield* poolFor(serverAt(remote.url))
      yield* pool.client.test(pool.server)
      pool.server = { ...pool.server, revision: 2 }
      yield* pool.client.call(pool.server, "track_parcel", { number: "1" })
      yield* eventually("the first session ended", () => {
        assert.strictEqual(remote.open(), 1)
        return true
      })
      assert.strictEqual(remote.state.sessions, 2)
    })
  )

  it.live("keeps a connection while a call may need it, and ends the session afterwards", () =>
    Effect.gen(function* () {
      const remote = yield* running()
      const pool = yield* poolFor(serverAt(remote.url), { allowPrivateNetwork: true, idleMs: 80 })
      pool.inUse = true
      yield* pool.client.test(pool.server)
      yield* Effect.sleep(300)
      assert.strictEqual(remote.open(), 1)
      pool.inUse = false
      yield* eventually("the session ended", () => {
        assert.strictEqual(remote.open(), 0)
        return true
      })
    })
  )

  it.live("ends a request whose call is interrupted", () =>
    Effect.gen(function* () {
      const remote = yield* running({ tools: [{ ...track, run: () => new Promise<never>(() => undefined) }] })
      const pool = yield* poolFor(serverAt(remote.url))
      yield* pool.client.test(pool.server)
      const fiber = yield* Effect.forkChild(pool.client.call(pool.server, "track_parcel", { number: "1" }))
      yield* eventually("the tool runs", () => {
        assert.lengthOf(remote.called, 1)
        return true
      })
      yield* Fiber.interrupt(fiber)
    })
  )

  it.live("tells a failure that the tool reports, and describes what is not text", () =>
    Effect.gen(function* () {
      const image = { type: "image", data: "AAAA".repeat(1_024), mimeType: "image/png" } as const
      const resource = {
        type: "resource",
        resource: { uri: "file:///a.txt", mimeType: "text/plain", text: "inside" }
      } as const
      const link = { type: "resource_link", uri: "https://a.example/x", name: "x" } as const
      const tools = [
        { ...track, name: "fails", run: () => ({ ...text("No such parcel."), isError: true }) },
        {
          ...track,
          name: "shows",
          run: () => ({ content: [{ type: "text" as const, text: "Here:" }, image, resource, link] })
        },
        { ...track, name: "counts", run: () => ({ content: [], structuredContent: { parcels: 3 } }) }
      ]
      const remote = yield* running({ tools })
      const { client, server } = yield* poolFor(serverAt(remote.url))
      assert.deepStrictEqual(yield* client.call(server, "fails", {}), { outcome: "error", result: "No such parcel." })
      assert.deepStrictEqual(yield* client.call(server, "shows", {}), {
        outcome: "ok",
        result: [
          "Here:",
          "[There is an image here (image/png, 3 KB) that cannot be shown.]",
          "[The resource file:///a.txt, text/plain:]\ninside",
          `[A link to "x": https://a.example/x]`
        ].join("\n")
      })
      assert.deepStrictEqual(yield* client.call(server, "counts", {}), { outcome: "ok", result: '{"parcels":3}' })
    })
  )
})
