import { randomBytes } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Context, Duration, Effect, Fiber, Layer, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { Redis as PersistedRedis, RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import { makeRateLimit } from "../../../src/http/middleware/RateLimit.ts"
import * as RateLimitRedis from "../../../src/integrations/redis/RateLimitRedis.ts"
import * as Redis from "../../../src/integrations/redis/Redis.ts"
import * as RateLimitMemory from "../../../src/integrations/resilience/RateLimitMemory.ts"
import { redisUrl } from "../../support/redis.ts"

const rule = { name: randomBytes(4).toString("hex"), what: "questions", limit: 2, window: "1 minute" } as const
const memory = RateLimiter.layer.pipe(Layer.provide(RateLimitMemory.layer))

const request = Layer.sync(HttpServerRequest.HttpServerRequest, () =>
  HttpServerRequest.fromWeb(new Request("http://app.example.test/"))
)

/** Sends one request after the other. Each gives `ok` or the sentence of its refusal. */
const ask = (subject: string, times: number) =>
  Effect.gen(function* () {
    const limit = yield* makeRateLimit(rule)
    const once = limit(subject).pipe(
      Effect.as("ok"),
      Effect.catch(({ error }) => Effect.succeed(error)),
      Effect.provide(request)
    )
    return yield* Effect.all(Array.from({ length: times }, () => once))
  })

describe("a limit on requests", () => {
  it.effect("refuses requests over the limit until the window is over, for that subject alone", () =>
    Effect.gen(function* () {
      const sentence = "Too many questions: 2 are allowed in 1m. Try again in 60 seconds."
      assert.deepStrictEqual(yield* ask("acme", 3), ["ok", "ok", sentence])
      assert.deepStrictEqual(yield* ask("other", 1), ["ok"])
      yield* TestClock.adjust("40 seconds")
      assert.match((yield* ask("acme", 1))[0], /Try again in 20 seconds/)
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual(yield* ask("acme", 2), ["ok", "ok"])
    }).pipe(Effect.provide(memory))
  )

  it.effect("lets no more than the limit pass around the end of a window", () =>
    Effect.gen(function* () {
      yield* ask("acme", 1)
      yield* TestClock.adjust("59 seconds")
      assert.deepStrictEqual(yield* ask("acme", 1), ["ok"])
      yield* TestClock.adjust("1 second")
      // The first request was a minute ago, the second was not.
      const [third, fourth] = yield* ask("acme", 2)
      assert.strictEqual(third, "ok")
      assert.match(fourth, /Try again in 59 seconds/)
    }).pipe(Effect.provide(memory))
  )

  it.live("lets no more than the limit pass around the end of a window in Redis either", () =>
    Effect.gen(function* () {
      const prefix = `test:${randomBytes(4).toString("hex")}:`
      const redis = Redis.layer({ url: Redacted.make(redisUrl()) })
      const node = RateLimiter.layer.pipe(Layer.provide(RateLimitRedis.layer({ prefix })), Layer.provide(redis))
      const before = Effect.flatMap(PersistedRedis.Redis, ({ send }) => {
        const times = [61, 50, 50].map((minutes) => String(Date.now() - minutes * 60_000))
        return send("RPUSH", `${prefix}somebody`, ...times)
      }).pipe(Effect.provide(redis))
      yield* before
      const { consume } = Context.get(yield* Layer.build(node), RateLimiter.RateLimiter)
      const once = consume({ key: "somebody", limit: 3, window: "1 hour" })
      assert.strictEqual((yield* once).remaining, 0)
      const { reason } = yield* Effect.flip(once)
      const wait = reason._tag === "RateLimitExceeded" ? Duration.toMinutes(reason.retryAfter) : Number.NaN
      assert.isTrue(wait > 8 && wait <= 10.1, `${wait} minutes`)
    }).pipe(Effect.scoped)
  )

  it.live("is one limit for all processes that share a Redis", () =>
    Effect.gen(function* () {
      const node = RateLimiter.layer.pipe(
        Layer.provide(RateLimitRedis.layer({ prefix: "test:limit:" })),
        Layer.provide(Redis.layer({ url: Redacted.make(redisUrl()) }))
      )
      const onNode = (times: number) => ask("acme", times).pipe(Effect.provide(node, { local: true }))
      assert.deepStrictEqual(yield* onNode(1), ["ok"])
      assert.deepStrictEqual(yield* onNode(1), ["ok"])
      assert.match((yield* onNode(1))[0], /Too many/)
    })
  )

  it.live(
    "is counted by the process alone while its counters cannot be reached, so that nothing passes uncounted",
    () =>
      Effect.gen(function* () {
        const away = RateLimiter.layer.pipe(
          Layer.provide(RateLimitRedis.layer({ prefix: "test:limit:" })),
          Layer.provide(Redis.layer({ url: Redacted.make("redis://127.0.0.1:9") }))
        )
        const [first, second, third] = yield* ask("acme", 3).pipe(Effect.provide(away))
        assert.deepStrictEqual([first, second], ["ok", "ok"])
        assert.match(third, /Too many questions/)
      })
  )

  it.effect("is counted by the process alone while its counters do not answer in time", () =>
    Effect.gen(function* () {
      const silent = Layer.effect(
        RateLimiter.RateLimiter,
        Effect.map(RateLimiter.RateLimiter, (limiter) => ({ ...limiter, consume: () => Effect.never }))
      ).pipe(Layer.provide(memory))
      const asked = yield* Effect.forkChild(ask("acme", 3).pipe(Effect.provide(silent)))
      yield* TestClock.adjust("2 seconds")
      assert.match((yield* Fiber.join(asked))[2], /Too many questions/)
    })
  )
})
