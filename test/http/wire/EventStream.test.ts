/** The body of the live feed: its heartbeat, how it ends, and clients that do not read. */
import { connect, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Scope, Stream } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { newId } from "../../../src/domain/basics/Ids.ts"
import type { LoggedEvent } from "../../../src/domain/events/EventFeed.ts"
import { ServerClosing } from "../../../src/http/server/ServerClosing.ts"
import * as UwsHttpServer from "../../../src/http/server/UwsHttpServer.ts"
import { type EventSource, type EventStreamOptions, eventStream } from "../../../src/http/wire/EventStream.ts"
import { playsInRealTime } from "../../support/Slowness.ts"

playsInRealTime()

const event = (n: number, size = 0): LoggedEvent => ({
  id: newId("evt", n),
  type: "webhook.test",
  createdAt: "2026-11-21T10:00:00.000Z",
  data: { text: "x".repeat(size) },
  place: { transaction: String(n), position: "1" }
})

const quiet: EventSource["subscription"] = { next: (waitMs) => Effect.as(Effect.sleep(waitMs), []) }

const source = (changes: Partial<EventSource> = {}): EventSource => ({
  subscription: quiet,
  wanted: () => true,
  mayRead: Effect.succeed(true),
  closing: Effect.never,
  note: undefined,
  ...changes
})

/** Reads a body into a growing text. */
const reading = Effect.fnUntraced(function* (from: EventSource, options?: EventStreamOptions) {
  const seen = { text: "" }
  const fiber = yield* Effect.forkChild(
    Stream.runForEach(Stream.decodeText(eventStream(from, options)), (text) =>
      Effect.sync(() => {
        seen.text += text
      })
    )
  )
  return { seen, fiber }
})

const settle = TestClock.adjust(0)

describe("the body of the live feed", () => {
  it.effect("has a comment every 15 s while nothing happens, and not before", () =>
    Effect.gen(function* () {
      const { seen, fiber } = yield* reading(source())
      yield* settle
      assert.strictEqual(seen.text, "retry: 2000\n\n")
      yield* TestClock.adjust("14 seconds")
      assert.strictEqual(seen.text, "retry: 2000\n\n")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(seen.text, "retry: 2000\n\n: heartbeat\n\n")
      yield* TestClock.adjust("45 seconds")
      assert.strictEqual(seen.text.split("heartbeat").length - 1, 4)
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("has a comment every 15 s also while only events of other organizations happen", () =>
    Effect.gen(function* () {
      const busy = { next: () => Effect.as(Effect.sleep("1 second"), [event(1)]) }
      const { seen, fiber } = yield* reading(source({ subscription: busy, wanted: () => false }))
      yield* TestClock.adjust("31 seconds")
      assert.strictEqual(seen.text.split("heartbeat").length - 1, 2)
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("ends within 15 s when the key or session is no longer valid, also while many events happen", () =>
    Effect.gen(function* () {
      for (const subscription of [quiet, { next: () => Effect.as(Effect.sleep("10 millis"), [event(1)]) }]) {
        let good = true
        const mayRead = Effect.sync(() => good)
        const { seen, fiber } = yield* reading(source({ subscription, mayRead }))
        yield* TestClock.adjust("20 seconds")
        good = false
        yield* TestClock.adjust("15 seconds")
        assert.isDefined(fiber.pollUnsafe())
        assert.match(seen.text, /event: end\ndata: \{"message":"This key or session is not good any more\."\}\n\n$/)
      }
    })
  )

  it.effect("ends at once when the server closes", () =>
    Effect.gen(function* () {
      const closing = yield* Deferred.make<void>()
      const { seen, fiber } = yield* reading(source({ closing: Deferred.await(closing) }))
      yield* settle
      yield* Deferred.succeed(closing, undefined)
      yield* Fiber.join(fiber)
      assert.strictEqual(seen.text, "retry: 2000\n\n")
    })
  )

  it.live("is dropped when its client reads nothing, and not while the client reads slowly", () =>
    Effect.gen(function* () {
      let handedOut = 0
      const plenty = { next: () => Effect.sync(() => [event(++handedOut, 64 * 1024)]) }
      let lost = 0
      const body = eventStream(source({ subscription: plenty }), { stallMs: 1_000 })
      const { port } = yield* serving(
        Stream.ensuring(
          body,
          Effect.sync(() => void lost++)
        )
      )
      // A client that does not read does not see the end either, so the test asks the server.
      yield* client(port)
      const slow = yield* client(port)
      let taken = 0
      slow.on("data", (chunk: Buffer) => {
        taken += chunk.byteLength
        slow.pause()
        setTimeout(() => slow.resume(), 20)
      })
      yield* Effect.sleep("900 millis")
      assert.strictEqual(lost, 0)
      yield* Effect.sleep("3 seconds")
      assert.strictEqual(lost, 1)
      const before = taken
      yield* Effect.sleep("500 millis")
      assert.isAbove(taken, before)
    }).pipe(Effect.scoped)
  )

  it.live("ends properly when the server stops, without waiting for the time that other requests have", () =>
    Effect.gen(function* () {
      const stop = yield* Scope.make()
      const { port } = yield* Scope.provide(
        serving(Stream.unwrap(Effect.map(ServerClosing, (closing) => eventStream(source({ closing })))), 30_000),
        stop
      )
      const socket = yield* client(port)
      let text = ""
      socket.on("data", (chunk: Buffer) => {
        text += chunk.toString()
      })
      const closed = new Promise<void>((done) => socket.once("close", () => done()))
      yield* Effect.sleep("200 millis")
      const began = performance.now()
      yield* Scope.close(stop, Exit.void)
      assert.isBelow(performance.now() - began, 5_000)
      yield* Effect.promise(() => closed)
      // The final chunk of the encoding shows that the answer is complete.
      assert.match(text, /retry: 2000[\s\S]*\r\n0\r\n\r\n$/)
    }).pipe(Effect.scoped)
  )
})

/** A server that answers everything with this body. */
const serving = Effect.fnUntraced(function* (body: Stream.Stream<Uint8Array>, drainMs = 100) {
  const server = yield* Layer.build(UwsHttpServer.layer({ port: 0, host: "127.0.0.1", drainMs }))
  yield* Layer.build(
    HttpRouter.serve(
      HttpRouter.add("GET", "/", HttpServerResponse.stream(body, { contentType: "text/event-stream" })),
      {
        disableLogger: true,
        disableListenLog: true
      }
    ).pipe(Layer.provide(Layer.succeedContext(server)), Layer.provide(HttpServer.layerServices))
  )
  const { address } = Context.get(server, HttpServer.HttpServer)
  return { port: "port" in address ? address.port : 0 }
})

/** Sends the request, and leaves reading to the caller. */
const client = (port: number) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<Socket>((done, fail) => {
          const socket = connect(port, "127.0.0.1", () => {
            socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
            done(socket)
          })
          socket.once("error", fail)
        })
    ),
    (socket) => Effect.sync(() => socket.destroy())
  )
