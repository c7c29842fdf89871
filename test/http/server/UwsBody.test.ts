import type { HttpResponse } from "uWebSockets.js"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Stream } from "effect"
import { Headers } from "effect/http"
import * as fc from "fast-check"
import { HeldBodies } from "../../../src/http/server/HeldBodies.ts"
import { UwsBody } from "../../../src/http/server/UwsBody.ts"
import { openExchange } from "../../../src/http/server/UwsExchange.ts"

const KB = 1024
const limit = 512 * KB

/** A request whose body and disconnection the test decides, and its handler, which is run and ended as the server does. */
const makeRequest = (held: HeldBodies, address: string) => {
  let aborted = () => {}
  let arrived: (part: ArrayBuffer, last: boolean) => void = () => {}
  const socket: Partial<HttpResponse> = {
    onAborted: (handler) => {
      aborted = handler
      return socket as HttpResponse
    },
    onData: (handler) => {
      arrived = handler
      return socket as HttpResponse
    },
    pause: () => {},
    resume: () => {},
    close: () => {
      abort()
      return socket as HttpResponse
    }
  }
  const exchange = openExchange(socket as HttpResponse, { overTls: false })
  const body = new UwsBody(exchange, { headers: Headers.empty, limit, held, address, patienceMs: 60_000 })
  const abort = () => {
    if (!exchange.gone) aborted()
  }
  const outcomes: Array<Exit.Exit<number, unknown>> = []
  const fibers: Array<Fiber.Fiber<unknown>> = []
  let sent = 0
  let complete = false

  const handle = (handler: Effect.Effect<number, unknown>) => {
    // One handler for each request.
    if (fibers.length > 0 || exchange.gone) return
    const answered = Effect.suspend(() => exchange.unread?.() ?? Effect.succeed(true))
    const run = Effect.andThen(
      Effect.map(Effect.exit(handler), (outcome) => void outcomes.push(outcome)),
      Effect.andThen(
        answered,
        Effect.sync(() => {
          exchange.gone = true
        })
      )
    )
    const fiber = Effect.runFork(run)
    fibers.push(fiber)
    exchange.interrupt = () => fiber.interruptUnsafe()
    fiber.addObserver(() => exchange.release?.())
  }
  return {
    part: (bytes: number, last: boolean) => {
      if (exchange.gone || complete) return
      sent += bytes
      complete = last
      arrived(new ArrayBuffer(bytes), last)
    },
    abort,
    goOn: () => {
      // A handler says this.
      if (fibers.length > 0) exchange.goesOn = true
    },
    whole: () => handle(Effect.map(body.whole, (bytes) => bytes.byteLength)),
    stream: () =>
      handle(
        Stream.runFold(
          body.bytes,
          () => 0,
          (sum, bytes) => sum + bytes.byteLength
        )
      ),
    ignore: () => handle(Effect.succeed(-1)),
    interrupt: () => exchange.interrupt?.(),
    /** What its handler read in whole; it must be all that was sent. */
    check: () => {
      for (const outcome of outcomes)
        if (Exit.isSuccess(outcome) && outcome.value >= 0)
          assert.deepStrictEqual([outcome.value, complete], [sent, true])
    },
    ended: () => Promise.all(fibers.map((fiber) => Effect.runPromise(Fiber.await(fiber))))
  }
}

const step = fc.record({
  request: fc.nat({ max: 3 }),
  does: fc.constantFrom(
    "part",
    "part",
    "part",
    "last",
    "abort",
    "goOn",
    "whole",
    "stream",
    "ignore",
    "interrupt",
    "turn"
  ),
  bytes: fc.constantFrom(0, 1, 1_000, 64 * KB, 100 * KB, 300 * KB)
})

describe("the body of a request", () => {
  it("is read in whole or refused, and holds nothing once its request is over, whatever happens in which order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const held = new HeldBodies({ bytes: 900 * KB, clientBytes: 500 * KB, clientWaiting: 1 })
        const requests = ["192.0.2.1", "192.0.2.1", "192.0.2.2", "2001:db8::1"].map((address) =>
          makeRequest(held, address)
        )
        for (const { request: at, does, bytes } of steps) {
          const request = requests[at]
          if (does === "part" || does === "last") request.part(bytes, does === "last")
          else if (does === "turn") await new Promise((next) => setImmediate(next))
          else request[does]()
        }
        for (const { abort } of requests) abort()
        for (const { interrupt } of requests) interrupt()
        for (const { ended, check } of requests) {
          await ended()
          check()
        }
        assert.strictEqual(held.clients, 0)
      }),
      { numRuns: 300 }
    )
  })

  it("is not taken for an empty one when its client has gone and its bytes are let go", async () => {
    const held = new HeldBodies({ bytes: 900 * KB, clientBytes: 500 * KB, clientWaiting: 1 })
    let abort = () => {}
    let arrived: (part: ArrayBuffer, last: boolean) => void = () => {}
    const socket: Partial<HttpResponse> = {
      onAborted: (handler) => {
        abort = handler
        return socket as HttpResponse
      },
      onData: (handler) => {
        arrived = handler
        return socket as HttpResponse
      }
    }
    const exchange = openExchange(socket as HttpResponse, { overTls: false })
    const body = new UwsBody(exchange, { headers: Headers.empty, limit, held, address: "192.0.2.1", patienceMs: 1_000 })
    arrived(new ArrayBuffer(200 * KB), true)
    abort()
    assert.isUndefined(body.arrived)
    assert.strictEqual((await Effect.runPromise(Effect.flip(body.whole))).reason, "disconnected")
    assert.strictEqual(held.clients, 0)
  })

  it("leaves a handler all the time that it needs after the last byte, and lets the next request come then", async () => {
    const held = new HeldBodies({ bytes: 900 * KB, clientBytes: 500 * KB, clientWaiting: 1 })
    const calls: Array<string> = []
    let arrived: (part: ArrayBuffer, last: boolean) => void = () => {}
    const socket: Partial<HttpResponse> = {
      onAborted: () => socket as HttpResponse,
      onData: (handler) => {
        arrived = handler
        return socket as HttpResponse
      },
      pause: () => void calls.push("pause"),
      // The library closes the connection 10 seconds after this, unless something comes or is answered.
      resume: () => void calls.push("resume")
    }
    const exchange = openExchange(socket as HttpResponse, { overTls: false })
    const body = new UwsBody(exchange, { headers: Headers.empty, limit, held, address: "192.0.2.1", patienceMs: 1_000 })
    arrived(new ArrayBuffer(300 * KB), false)
    arrived(new ArrayBuffer(10), true)
    assert.strictEqual((await Effect.runPromise(Stream.runCollect(body.bytes))).length, 2)
    assert.deepStrictEqual(calls, ["pause"])
    assert.isTrue(await Effect.runPromise(exchange.unread?.() ?? Effect.succeed(false)))
    assert.deepStrictEqual(calls, ["pause", "resume"])
  })
})
