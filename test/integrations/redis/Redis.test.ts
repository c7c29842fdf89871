import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Queue, Redacted } from "effect"
import { Redis } from "effect/persistence"
import * as ParleyRedis from "../../../src/integrations/redis/Redis.ts"
import { eventually } from "../../support/eventually.ts"
import { startRedisProcess } from "../../support/redis.ts"
import { tcpProxy } from "../../support/tcp-proxy.ts"

describe("Redis that is gone without a word", () => {
  it.live("is asked again over a new connection after some seconds", () =>
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

  it.live("is heard again by who only listens", () =>
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
