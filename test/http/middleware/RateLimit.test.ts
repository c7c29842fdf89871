import { randomBytes } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import { makeRateLimit } from "../../../src/http/middleware/RateLimit.ts"
import * as Redis from "../../../src/integrations/redis/Redis.ts"
import { redisUrl } from "../../support/redis.ts"

const rule = { name: randomBytes(4).toString("hex"), what: "questions", limit: 2, window: "1 minute" } as const
const memory = RateLimiter.layer.pipe(Layer.provide(RateLimiter.layerStoreMemory))

const request = Layer.sync(HttpServerRequest.HttpServerRequest, () =>
  HttpServerRequest.fromWeb(new Request("http://app.example.test/"))
)

/** One request after the other; each `ok`, or the sentence of its refusal. */
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
  it.effect("refuses one too many until the window is over, for that subject alone", () =>
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

  it.live("is one limit for all processes that share a Redis", () =>
    Effect.gen(function* () {
      const node = RateLimiter.layer.pipe(
        Layer.provide(RateLimiter.layerStoreRedis()),
        Layer.provide(Redis.layer({ url: Redacted.make(redisUrl()) }))
      )
      const onNode = (times: number) => ask("acme", times).pipe(Effect.provide(node, { local: true }))
      assert.deepStrictEqual(yield* onNode(1), ["ok"])
      assert.deepStrictEqual(yield* onNode(1), ["ok"])
      assert.match((yield* onNode(1))[0], /Too many/)
    })
  )

  it.live("lets everything pass while its counters cannot be reached", () =>
    Effect.gen(function* () {
      const away = RateLimiter.layer.pipe(
        Layer.provide(RateLimiter.layerStoreRedis()),
        Layer.provide(Redis.layer({ url: Redacted.make("redis://127.0.0.1:9") }))
      )
      assert.deepStrictEqual(yield* ask("acme", 3).pipe(Effect.provide(away)), ["ok", "ok", "ok"])
    })
  )
})
