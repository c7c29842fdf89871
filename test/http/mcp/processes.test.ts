/** Several processes behind one address: sessions, kept answers and posts are shared through Redis. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { McpPosts } from "../../../src/domain/people/access/mcp/McpPosts.ts"
import { McpReplies } from "../../../src/domain/people/access/mcp/McpReplies.ts"
import { idleSeconds, McpSessions, mostSessions } from "../../../src/domain/people/access/mcp/McpSessions.ts"
import * as McpPostsRedis from "../../../src/integrations/redis/mcp/McpPostsRedis.ts"
import * as McpRepliesRedis from "../../../src/integrations/redis/mcp/McpRepliesRedis.ts"
import * as McpSessionsRedis from "../../../src/integrations/redis/mcp/McpSessionsRedis.ts"
import * as Redis from "../../../src/integrations/redis/Redis.ts"
import { eventually } from "../../support/eventually.ts"
import { redisUrl } from "../../support/redis.ts"

const shared = Layer.suspend(() =>
  Layer.mergeAll(McpSessionsRedis.layer, McpRepliesRedis.layer, McpPostsRedis.layer).pipe(
    Layer.provide(Redis.layer({ url: Redacted.make(redisUrl()) }))
  )
)
const alone = Layer.mergeAll(McpSessions.layerAlone, McpReplies.layerAlone(), McpPosts.layerAlone)

type State = McpSessions | McpReplies | McpPosts
const inProcess = Effect.map(Layer.build(Layer.fresh(shared)), (context) => {
  return <A, E, R>(work: Effect.Effect<A, E, R | State>) => Effect.provide(work, context)
})

const sessionOf = (keyId: string) => ({ id: crypto.randomUUID(), keyId, client: { name: "desk", version: "1" } })

describe("two processes of one service", () => {
  it.live("find each other's sessions, and end them for each other", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* inProcess, yield* inProcess]
      const session = sessionOf(`key_${crypto.randomUUID()}`)
      assert.isTrue(yield* one(Effect.flatMap(McpSessions, (sessions) => sessions.open(session))))
      const found = yield* two(
        Effect.flatMap(McpSessions, (sessions) => sessions.find(session.id, session.keyId, true))
      )
      assert.deepStrictEqual(found, session)
      assert.isUndefined(
        yield* two(Effect.flatMap(McpSessions, (sessions) => sessions.find(session.id, "key_other", true)))
      )
      yield* two(Effect.flatMap(McpSessions, (sessions) => sessions.close(session)))
      assert.isUndefined(
        yield* one(Effect.flatMap(McpSessions, (sessions) => sessions.find(session.id, session.keyId, true)))
      )
    })
  )

  it.live("keep answers for each other", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* inProcess, yield* inProcess]
      const answer = crypto.randomUUID()
      const keep = (event: string) =>
        one(Effect.flatMap(McpReplies, (replies) => replies.keep("session", answer, event)))
      assert.deepStrictEqual([yield* keep(""), yield* keep('{"result":{}}')], [1, 2])
      const found = yield* two(Effect.flatMap(McpReplies, (replies) => replies.find("session", answer)))
      assert.deepStrictEqual(found, { events: ["", '{"result":{}}'] })
      assert.isUndefined(yield* two(Effect.flatMap(McpReplies, (replies) => replies.find("other session", answer))))
    })
  )

  it.live("bring posts to the stream, wherever it is, and only those of its key", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* inProcess, yield* inProcess]
      const stream = { id: String(crypto.randomUUID()), keyId: "key_1" }
      const heard: Array<string> = []
      const deliver = (to: typeof stream, message: string) =>
        two(Effect.flatMap(McpPosts, (posts) => posts.deliver(to, message)))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* one(Effect.flatMap(McpPosts, (posts) => posts.listen(stream, (message) => heard.push(message))))
          assert.isTrue(yield* deliver(stream, "hello"))
          yield* eventually("the post arrives", () => heard.length === 1)
          assert.isFalse(yield* deliver({ ...stream, keyId: "key_2" }, "stranger"))
          assert.isFalse(yield* deliver({ ...stream, id: "none" }, "nobody"))
        })
      )
      assert.isFalse(yield* deliver(stream, "too late"))
      assert.deepStrictEqual(heard, ["hello"])
    })
  )
})

describe("the sessions of a process alone", () => {
  it.effect("end when they were not used for 30 minutes, and are bounded for each key", () =>
    Effect.gen(function* () {
      const sessions = yield* McpSessions
      const [used, unused] = [sessionOf("key_1"), sessionOf("key_1")]
      yield* sessions.open(used)
      yield* sessions.open(unused)
      yield* TestClock.adjust(`${idleSeconds - 1} seconds`)
      assert.deepStrictEqual(yield* sessions.find(used.id, "key_1", true), used)
      assert.deepStrictEqual(yield* sessions.find(unused.id, "key_1", false), unused)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* sessions.find(used.id, "key_1", false), used)
      assert.isUndefined(yield* sessions.find(unused.id, "key_1", true))
      for (let at = 1; at < mostSessions; at++) assert.isTrue(yield* sessions.open(sessionOf("key_1")))
      assert.isFalse(yield* sessions.open(sessionOf("key_1")))
      assert.isTrue(yield* sessions.open(sessionOf("key_2")))
    }).pipe(Effect.provide(alone))
  )

  it.effect("keep answers within their memory", () =>
    Effect.gen(function* () {
      const replies = yield* McpReplies
      yield* replies.keep("s", "first", "x".repeat(600))
      yield* replies.keep("s", "second", "x".repeat(600))
      assert.isUndefined(yield* replies.find("s", "first"))
      assert.isDefined(yield* replies.find("s", "second"))
    }).pipe(Effect.provide(McpReplies.layerAlone(1_000)))
  )
})
