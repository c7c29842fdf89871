import { randomBytes } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { Redis } from "effect/persistence"
import { CallLeases } from "../../../src/domain/voice/engine/CallLeases.ts"
import * as CallLeasesRedis from "../../../src/integrations/redis/CallLeasesRedis.ts"
import * as ParleyRedis from "../../../src/integrations/redis/Redis.ts"
import { eventually } from "../../support/eventually.ts"
import { redisUrl, startRedisOn, startRedisProcess } from "../../support/redis.ts"
import { warnings } from "../../support/warnings.ts"

const engine = (url: string) =>
  CallLeasesRedis.layer.pipe(Layer.provideMerge(ParleyRedis.layer({ url: Redacted.make(url) })))
/** One engine of several, with a connection of its own. */
const onEngine = <A, E, R>(url: string, work: (leases: CallLeases["Service"]) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(CallLeases, work).pipe(Effect.provide(engine(url), { local: true }))
const newOrganization = () => `org_${randomBytes(8).toString("hex")}`

describe("the calls of an organization on several engines", () => {
  it.live("never exceed its limit, also when all engines ask at once", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const offer = (name: string) =>
        onEngine(redisUrl(), (leases) =>
          Effect.forEach(
            Array.from({ length: 20 }, (_, i) => `call_${name}${i}`),
            (callId) => leases.acquire({ organizationId, callId }, 7),
            { concurrency: "unbounded" }
          )
        )
      const answers = yield* Effect.all(["a", "b", "c"].map(offer), { concurrency: "unbounded" })
      assert.lengthOf(answers.flat().filter(Boolean), 7)
    })
  )

  it.live("free their place when they end, and count once when requested twice", () =>
    onEngine(
      redisUrl(),
      Effect.fnUntraced(function* (leases) {
        const organizationId = newOrganization()
        const call = (callId: string) => ({ organizationId, callId })
        assert.isTrue(yield* leases.acquire(call("call_1"), 1))
        assert.isTrue(yield* leases.acquire(call("call_1"), 1))
        assert.isFalse(yield* leases.acquire(call("call_2"), 1))
        yield* leases.release(call("call_1"))
        assert.isTrue(yield* leases.acquire(call("call_2"), 1))
        assert.isTrue(yield* leases.acquire({ organizationId: newOrganization(), callId: "call_1" }, 1))
      })
    )
  )

  it.live("are forgotten when their engine has died, and kept when they are renewed", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const key = `parley:calls:${organizationId}`
      const [dead, alive] = ["call_dead", "call_alive"].map((callId) => ({ organizationId, callId }))
      const leases = yield* CallLeases
      const { send } = yield* Redis.Redis
      yield* leases.acquire(dead, 2)
      yield* leases.acquire(alive, 2)
      assert.isAtMost(yield* send<number>("PTTL", key), 30_000)
      // Half a minute later both leases would have expired, but one has been renewed.
      yield* send("ZADD", key, "1", dead.callId, "1", alive.callId)
      yield* leases.renew([alive])
      assert.isTrue(yield* leases.acquire({ organizationId, callId: "call_new" }, 2))
      assert.isFalse(yield* leases.acquire({ organizationId, callId: "call_newer" }, 2))
    }).pipe(Effect.provide(Layer.suspend(() => engine(redisUrl()))))
  )

  it.live("stay ended when they end while the leases of very many organizations are renewed", () =>
    Effect.gen(function* () {
      const calls = Array.from({ length: 3_000 }, (_, i) => ({
        organizationId: newOrganization(),
        callId: `call_${i}`
      }))
      const [last, again] = calls.slice(-2)
      const leases = yield* CallLeases
      const { send } = yield* Redis.Redis
      const leased = ({ organizationId, callId }: typeof last) =>
        send("ZSCORE", `parley:calls:${organizationId}`, callId)
      // From here on Redis knows the script.
      yield* leases.renew([last])
      const endMeanwhile = Effect.gen(function* () {
        yield* leases.release(last)
        yield* leases.release(again)
        // The call returned from a human.
        yield* leases.acquire(again, 1)
      })
      yield* Effect.all([leases.renew(calls), endMeanwhile], { concurrency: "unbounded" })
      assert.isNull(yield* leased(last))
      assert.isNotNull(yield* leased(again))
    }).pipe(Effect.provide(Layer.suspend(() => engine(redisUrl()))))
  )

  it.live(
    "are not limited while Redis is unavailable, which is logged once, and count again after the next renewal",
    () =>
      Effect.gen(function* () {
        const { url, child } = yield* startRedisProcess
        const { lines, layer } = warnings()
        yield* onEngine(
          url,
          Effect.fnUntraced(function* (leases) {
            const organizationId = newOrganization()
            yield* leases.acquire({ organizationId, callId: "call_1" }, 1)
            const ended = new Promise((done) => child.once("exit", done))
            child.kill("SIGKILL")
            yield* Effect.promise(() => ended)
            assert.isTrue(yield* leases.acquire({ organizationId, callId: "call_2" }, 1))
            yield* leases.release({ organizationId, callId: "call_2" })
            yield* startRedisOn(Number(new URL(url).port))
            // The connection is restored after a while. Until then no call is refused.
            const third = { organizationId, callId: "call_3" }
            yield* eventually(
              "the renewed call counts",
              Effect.gen(function* () {
                yield* leases.renew([{ organizationId, callId: "call_1" }])
                if (!(yield* leases.acquire(third, 1))) return true
                yield* leases.release(third)
                return false
              })
            )
          })
        ).pipe(Effect.provide(layer))
        assert.lengthOf(
          lines.filter((line) => String(line).includes("cannot be counted")),
          1
        )
      }).pipe(Effect.scoped)
  )
})
