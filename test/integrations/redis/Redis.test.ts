import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Logger, Queue, Redacted, Scope } from "effect"
import { Redis } from "effect/persistence"
import * as ParleyRedis from "../../../src/integrations/redis/Redis.ts"
import { freePort } from "../../../src/integrations/web/FreePort.ts"
import { eventually } from "../../support/eventually.ts"
import { startRedisOn, startRedisProcess } from "../../support/redis.ts"
import { playsInRealTime } from "../../support/Slowness.ts"
import { tcpProxy } from "../../support/tcp-proxy.ts"

playsInRealTime()

describe("Redis that goes and comes back", () => {
  it.live("is logged in two lines, however many parts of the process use it", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const log = Logger.make<unknown, void>(({ message }) => void lines.push(String([message].flat()[0])))
      const port = yield* Effect.promise(freePort)
      const first = yield* Scope.make()
      yield* Scope.provide(startRedisOn(port), first)
      const heard: Array<Queue.Dequeue<Redis.RedisMessage, Redis.RedisError>> = []
      const senders: Array<Redis.Redis["Service"]["send"]> = []
      // As in the service's wiring: one layer for each use, merged into one.
      const user = Layer.effectDiscard(
        Effect.gen(function* () {
          const { send, subscribe } = yield* Redis.Redis
          senders.push(send)
          heard.push(yield* subscribe("words"))
        })
      )
      const url = Redacted.make(`redis://127.0.0.1:${port}`)
      const users = Array.from({ length: 3 }, () => Layer.fresh(user).pipe(Layer.provide(ParleyRedis.layer({ url }))))
      yield* Layer.build(Layer.mergeAll(Layer.empty, ...users).pipe(Layer.provideMerge(Logger.layer([log]))))
      yield* eventually(
        "all hear",
        Effect.andThen(
          senders[0]("PUBLISH", "words", "hello"),
          Effect.sync(() => heard.every((words) => Queue.sizeUnsafe(words) > 0))
        )
      )
      assert.deepStrictEqual(lines, [])
      yield* Scope.close(first, Exit.void)
      // Each connection has tried to reconnect meanwhile.
      yield* Effect.sleep("1500 millis")
      assert.deepStrictEqual(lines, ["Redis cannot be reached; trying again in the background"])
      yield* startRedisOn(port)
      yield* eventually("it is back", () => lines.length > 1)
      yield* Effect.sleep("2500 millis")
      assert.deepStrictEqual(lines.slice(1), ["Redis is back"])
    }).pipe(Effect.scoped)
  )
})

describe("Redis that stops answering without closing its connections", () => {
  it.live("gets the command again over a new connection after some seconds", () =>
    Effect.gen(function* () {
      const url = new URL((yield* startRedisProcess).url)
      const proxy = yield* tcpProxy(url.hostname, Number(url.port))
      const through = Object.assign(url, { hostname: "127.0.0.1", port: String(proxy.port) })
      const context = yield* Layer.build(ParleyRedis.layer({ url: Redacted.make(through.href) }))
      yield* Effect.gen(function* () {
        const { send } = yield* Redis.Redis
        yield* send("SET", "word", "kept")
        proxy.freeze()
        proxy.restore()
        const began = performance.now()
        assert.strictEqual(yield* send("GET", "word"), "kept")
        assert.isBelow(performance.now() - began, 5_000)
      }).pipe(Effect.provide(context))
    }).pipe(Effect.scoped)
  )

  it.live("reaches subscribers again that only listen", () =>
    Effect.gen(function* () {
      const { url: direct } = yield* startRedisProcess
      const url = new URL(direct)
      const proxy = yield* tcpProxy(url.hostname, Number(url.port))
      const through = Object.assign(url, { hostname: "127.0.0.1", port: String(proxy.port) })
      const redisAt = (href: string) =>
        Effect.map(Layer.build(ParleyRedis.layer({ url: Redacted.make(href) })), Context.get(Redis.Redis))
      const [listener, speaker] = [yield* redisAt(through.href), yield* redisAt(direct)]
      const words = yield* listener.subscribe("words")
      const isHeard = Effect.andThen(
        speaker.send("PUBLISH", "words", "hello"),
        Effect.sync(() => Queue.takeUnsafe(words) !== undefined)
      )
      yield* eventually("a word", isHeard)
      proxy.freeze()
      proxy.restore()
      while (Queue.takeUnsafe(words) !== undefined);
      yield* eventually("a word after the silence", isHeard, 15)
    }).pipe(Effect.scoped)
  )
})
