import type { ChildProcess } from "node:child_process"
import { randomBytes } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Queue, Redacted, Schedule, Schema } from "effect"
import { PersistedQueue, RateLimiter, Redis } from "effect/persistence"
import { SpeechCache } from "../../../src/domain/ai/providers/SpeechCache.ts"
import * as ParleyRedis from "../../../src/integrations/redis/Redis.ts"
import * as SpeechCacheRedis from "../../../src/integrations/redis/SpeechCacheRedis.ts"
import { redisUrl, startRedisOn, startRedisProcess } from "../../support/redis.ts"
import { playsInRealTime } from "../../support/Slowness.ts"
import { warnings } from "../../support/warnings.ts"

playsInRealTime()

const redis = (url: string) => ParleyRedis.layer({ url: Redacted.make(url) })
const node = (url: string) => SpeechCacheRedis.layer.pipe(Layer.provideMerge(redis(url)))
const newKey = () => randomBytes(8).toString("hex")
const audio = new Uint8Array(randomBytes(8_000))

/** One node of several: its own memory, its own connection. */
const onNode =
  (url: string) =>
  <A, E>(work: (cache: SpeechCache["Service"]) => Effect.Effect<A, E>) =>
    Effect.flatMap(SpeechCache, work).pipe(Effect.provide(node(url), { local: true }))

const killed = (child: ChildProcess) =>
  Effect.promise(async () => {
    const ended = new Promise((done) => child.once("exit", done))
    child.kill("SIGKILL")
    await ended
  })

describe("the speech cache that nodes share", () => {
  it.live("gives audio that one node made to another node, byte for byte", () =>
    Effect.gen(function* () {
      const key = newKey()
      const use = onNode(redisUrl())
      assert.isUndefined(yield* use((cache) => cache.get(key)))
      yield* use((cache) => cache.set(key, audio))
      assert.deepStrictEqual(yield* use((cache) => cache.get(key)), audio)
    })
  )

  it.live("keeps audio for 30 days", () =>
    Effect.gen(function* () {
      const key = newKey()
      yield* onNode(redisUrl())((cache) => cache.set(key, audio))
      const left = yield* Effect.flatMap(Redis.Redis, ({ send }) => send<number>("TTL", `parley:speech:${key}`))
      assert.isAbove(left, 30 * 86_400 - 60)
      assert.isAtMost(left, 30 * 86_400)
    }).pipe(Effect.provide(Layer.suspend(() => redis(redisUrl()))))
  )

  it.live("still serves audio in memory when Redis dies in mid-call, misses the rest at once, and logs one line", () =>
    Effect.gen(function* () {
      const { url, child } = yield* startRedisProcess
      const { lines, layer } = warnings()
      yield* onNode(url)((cache) =>
        Effect.gen(function* () {
          const key = newKey()
          yield* cache.set(key, audio)
          yield* killed(child)
          const before = performance.now()
          assert.deepStrictEqual(yield* cache.get(key), audio)
          for (let i = 0; i < 3; i++) assert.isUndefined(yield* cache.get(newKey()))
          yield* cache.set(newKey(), audio)
          assert.isBelow(performance.now() - before, 4_000)
        })
      ).pipe(Effect.provide(layer))
      const cacheLines = lines.filter((line) => String(line).includes("speech cache"))
      assert.lengthOf(cacheLines, 1)
      assert.isAtMost(lines.length, 2)
    })
  )
})

describe("Redis", () => {
  it.live("carries limits, durable queues and messages between nodes", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter.RateLimiter
      const limit = { key: newKey(), window: "1 hour", limit: 3, algorithm: "fixed-window" } as const
      for (let i = 0; i < 3; i++) yield* limiter.consume(limit)
      assert.strictEqual((yield* Effect.flip(limiter.consume(limit))).reason._tag, "RateLimitExceeded")

      const queue = yield* PersistedQueue.make({ name: newKey(), schema: Schema.Struct({ id: Schema.String }) })
      yield* queue.offer({ id: "one" }, { id: "one" })
      yield* queue.offer({ id: "one" }, { id: "one" })
      assert.deepStrictEqual(yield* queue.take((item) => Effect.succeed(item)), { id: "one" })

      const { send, subscribe } = yield* Redis.Redis
      const channel = newKey()
      const inbox = yield* subscribe(channel)
      yield* send("PUBLISH", channel, "hello")
      assert.deepStrictEqual(yield* Queue.take(inbox), { channel, message: "hello" })
    }).pipe(
      Effect.provide(
        Layer.suspend(() =>
          Layer.mergeAll(
            RateLimiter.layer.pipe(Layer.provide(RateLimiter.layerStoreRedis())),
            PersistedQueue.layer.pipe(Layer.provide(PersistedQueue.layerStoreRedis({ prefix: `${newKey()}:` })))
          ).pipe(Layer.provideMerge(redis(redisUrl())))
        )
      )
    )
  )

  it.live("is found again after it restarts, without a restart of the service", () =>
    Effect.gen(function* () {
      const first = yield* startRedisProcess
      yield* Effect.gen(function* () {
        const { send } = yield* Redis.Redis
        yield* send("PING")
        yield* killed(first.child)
        yield* Effect.flip(send("PING"))
        yield* startRedisOn(Number(new URL(first.url).port))
        assert.strictEqual(
          yield* send("PING").pipe(Effect.retry({ times: 20, schedule: Schedule.spaced("200 millis") })),
          "PONG"
        )
      }).pipe(Effect.provide(redis(first.url)))
    })
  )
})
