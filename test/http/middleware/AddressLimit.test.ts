import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { RateLimiter } from "effect/persistence"
import * as RateLimitRedis from "../../../src/integrations/redis/RateLimitRedis.ts"
import * as Redis from "../../../src/integrations/redis/Redis.ts"
import { startRedisProcess } from "../../support/redis.ts"
import { playsInRealTime } from "../../support/Slowness.ts"
import { makeWorld, type World, type WorldOptions } from "../world.ts"

playsInRealTime()

const scenario = (name: string, run: (world: World) => Promise<void>, options: WorldOptions = {}) =>
  it.live(name, () =>
    Effect.flatMap(makeWorld({ requestsPerMinute: 5, ...options }), (world) => Effect.promise(() => run(world)))
  )

const authorization = "Bearer mk_1"

describe("in the limit on requests per minute and address", () => {
  scenario(
    "every answer says how many requests are left, and one too many gets 429 with whole seconds to wait",
    async ({ base }) => {
      const ask = (path = "/api/voice-agents", key = authorization) =>
        fetch(base + path, { headers: { authorization: key } })
      const answers = [
        await ask(),
        await ask("/api/nowhere"),
        await ask("/api/calls/x"),
        await ask("/api/voices", "Bearer x")
      ]
      assert.deepStrictEqual(
        answers.map(({ status, headers }) => [
          status,
          headers.get("ratelimit-limit"),
          headers.get("ratelimit-remaining")
        ]),
        [
          [200, "5", "4"],
          [404, "5", "3"],
          [404, "5", "2"],
          [401, "5", "1"]
        ]
      )
      assert.match(answers[0].headers.get("ratelimit-reset") ?? "", /^\d+$/)
      await ask()
      const refused = await ask()
      assert.strictEqual(refused.status, 429)
      assert.match(refused.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
      assert.strictEqual(refused.headers.get("ratelimit-remaining"), "0")
      assert.match(refused.headers.get("x-request-id") ?? "", /^req_/)
      assert.match(String(((await refused.json()) as { error: string }).error), /^Too many requests: 5 are allowed/)
    }
  )

  scenario("health checks, webhooks and requests between app and engine are not counted", async ({ base }) => {
    for (let i = 0; i < 8; i++) {
      assert.strictEqual((await fetch(`${base}/healthz`)).status, 200)
      assert.strictEqual((await fetch(`${base}/api/webhooks/telephony/voice`, { method: "POST" })).status, 400)
      const json = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }
      assert.strictEqual((await fetch(`${base}/api/voice-agents/tool-call`, json)).status, 401)
    }
    const odd = [
      "/api//voice-agents/webhook",
      "/api/voice-agents/webhook/",
      "/API/webhooks/x",
      "/healthz/../api",
      "/x",
      "/y"
    ]
    const statuses = []
    for (const path of odd) statuses.push((await fetch(base + path)).status)
    assert.strictEqual(statuses.at(-1), 429)
  })

  scenario("checks of a verify token are counted, because they are not signed", async ({ base }) => {
    const ask = async (path: string, method = "GET") =>
      (await fetch(`${base}/api/webhooks/${path}?hub.mode=none&hub.verify_token=guess`, { method })).status
    assert.deepStrictEqual([await ask("messaging", "HEAD"), await ask("messaging")], [403, 403])
    for (const path of ["m%65ssaging", "messaging/", "/messaging"]) await ask(path)
    assert.strictEqual(await ask("messaging"), 429)
    assert.strictEqual((await fetch(`${base}/api/webhooks/messaging`, { method: "POST", body: "x" })).status, 403)
    assert.strictEqual(await ask("telephony/speech/none.wav"), 404)
  })

  scenario(
    "each client behind a proxy is counted separately, and cannot evade this by writing the header itself",
    async ({ base }) => {
      const ask = async (forwarded: string) =>
        (await fetch(`${base}/api/voices`, { headers: { authorization, "x-forwarded-for": forwarded } })).status
      for (let i = 0; i < 5; i++) assert.strictEqual(await ask(`198.51.100.${i}, 203.0.113.9`), 200)
      assert.strictEqual(await ask("198.51.100.77, 203.0.113.9"), 429)
      assert.strictEqual(await ask("203.0.113.10"), 200)
    },
    { trustedProxies: ["127.0.0.1"] }
  )

  scenario("the header is ignored without trusted proxies", async ({ base }) => {
    const ask = async (i: number) =>
      (await fetch(`${base}/api/voices`, { headers: { authorization, "x-forwarded-for": `203.0.113.${i}` } })).status
    for (let i = 0; i < 5; i++) await ask(i)
    assert.strictEqual(await ask(99), 429)
  })

  it.live("two servers with one Redis count together, and each goes on counting without delay when Redis is gone", () =>
    Effect.gen(function* () {
      const { url, child } = yield* startRedisProcess
      const rateLimits = RateLimiter.layer.pipe(
        Layer.provide(RateLimitRedis.layer({ prefix: "test:limit:" })),
        Layer.provide(Redis.layer({ url: Redacted.make(url) }))
      )
      const servers = [
        yield* makeWorld({ requestsPerMinute: 5, rateLimits }),
        yield* makeWorld({ requestsPerMinute: 5, rateLimits: Layer.fresh(rateLimits) })
      ]
      const ask = (server: number) =>
        Effect.promise(async () => {
          const { status, headers } = await fetch(`${servers[server].base}/api/voices`, {
            headers: { authorization }
          })
          return [status, headers.get("ratelimit-remaining")]
        })
      const answers = yield* Effect.forEach([0, 1, 0, 1, 0, 1, 0], ask)
      assert.deepStrictEqual(answers, [
        [200, "4"],
        [200, "3"],
        [200, "2"],
        [200, "1"],
        [200, "0"],
        [429, "0"],
        [429, "0"]
      ])
      child.kill("SIGKILL")
      const began = performance.now()
      assert.deepStrictEqual(yield* ask(0), [200, "4"])
      assert.isBelow(performance.now() - began, 5_000)
    })
  )
})
