/**
 * The calls of each organization as a sorted set in Redis: call id → end of its lease, by Redis' own clock. While Redis is away, every process
 * applies the limit to its own calls only. Lost leases are back after the next renewal.
 */
import { Array as Arr, Effect, Layer } from "effect"
import { Redis } from "effect/persistence"
import { traced } from "../../domain/basics/Traced.ts"
import { CallLeases, type LeasedCall, leaseSeconds } from "../../domain/voice/engine/CallLeases.ts"
import { quietly } from "../resilience/Quietly.ts"

const leaseMs = leaseSeconds * 1_000
/** Short, because a caller waits for it. */
const patience = "500 millis"

const keyOf = (organizationId: string) => `parley:calls:${organizationId}`

const clock = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`

const acquire = Redis.script((key: string, callId: string, limit: number) => [key, callId, limit, leaseMs], {
  numberOfKeys: 1,
  lua: `${clock}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`
}).withReturnType<number>()

const renew = Redis.script((key: string, callIds: ReadonlyArray<string>) => [key, leaseMs, ...callIds], {
  numberOfKeys: 1,
  lua: `${clock}
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1`
}).withReturnType<number>()

export const layer: Layer.Layer<CallLeases, never, Redis.Redis> = Layer.effect(
  CallLeases,
  Effect.gen(function* () {
    const redis = yield* Redis.Redis
    const attempt = quietly("Calls of an organization on other engines cannot be counted")
    const patiently = <A, E>(work: Effect.Effect<A, E>) => attempt(Effect.timeout(work, patience))
    const runAcquire = redis.eval(acquire)
    const runRenew = redis.eval(renew)

    return CallLeases.of({
      acquire: traced("CallLeases.acquire")(function* ({ organizationId, callId }, limit) {
        return (yield* patiently(runAcquire(keyOf(organizationId), callId, limit))) !== 0
      }),
      release: ({ organizationId, callId }) =>
        Effect.asVoid(patiently(redis.send("ZREM", keyOf(organizationId), callId))),
      renew: traced("CallLeases.renew")(function* (calls) {
        const byOrganization = Object.entries(Arr.groupBy(calls, ({ organizationId }) => organizationId))
        const renewAll = ([organizationId, own]: readonly [string, ReadonlyArray<LeasedCall>]) => {
          const callIds = own.map(({ callId }) => callId)
          return patiently(runRenew(keyOf(organizationId), callIds))
        }
        // Without a wait before it: a lease that is released meanwhile must not be renewed after its release.
        yield* Effect.forEach(byOrganization, renewAll, { discard: true, concurrency: "unbounded" })
      })
    })
  })
)
