/** Counters of rate limits in Redis, shared by all processes. The window reaches back from each request, as in `resilience/RateLimitMemory`. */
import { Duration, Effect, Layer } from "effect"
import { RateLimiter, Redis } from "effect/persistence"

/** Keeps a list of the times within the window, oldest first, by the clock of Redis. Less than no tokens: the newest are given back. */
const take = Redis.script(
  (key: string, tokens: number, windowMs: number, limit: number) => [key, tokens, windowMs, limit],
  {
    numberOfKeys: 1,
    lua: `
local key = KEYS[1]
local tokens = tonumber(ARGV[1])
local window = tonumber(ARGV[2])
local limit = tonumber(ARGV[3])
local time = redis.call("TIME")
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

local oldest = tonumber(redis.call("LINDEX", key, 0) or nil)
while oldest and oldest <= now - window do
  redis.call("LPOP", key)
  oldest = tonumber(redis.call("LINDEX", key, 0) or nil)
end

if tokens < 0 then
  for i = 1, -tokens do redis.call("RPOP", key) end
  return { redis.call("LLEN", key), window }
end
local count = redis.call("LLEN", key) + tokens
if count > limit then
  return { count, tonumber(redis.call("LINDEX", key, count - limit - 1)) + window - now }
end
for i = 1, tokens do redis.call("RPUSH", key, string.format("%d", now)) end
redis.call("PEXPIRE", key, window)
return { count, window }
`
  }
).withReturnType<readonly [count: number, milliseconds: number]>()

/** Needs the Redis of `effect/persistence`. */
export const layer = ({ prefix }: { readonly prefix: string }) =>
  Layer.effect(
    RateLimiter.RateLimiterStore,
    Effect.gen(function* () {
      const store = yield* RateLimiter.RateLimiterStore
      const run = (yield* Redis.Redis).eval(take)
      return RateLimiter.RateLimiterStore.of({
        ...store,
        fixedWindow: (options) => {
          const { key, tokens, refillRate, limit } = options
          // Without a limit the length of the window is unknown.
          if (limit === undefined) return store.fixedWindow(options)
          const windowMs = Math.ceil(Duration.toMillis(refillRate) * limit)
          return Effect.mapError(
            run(`${prefix}${key}`, tokens, windowMs, limit),
            ({ cause }) =>
              new RateLimiter.RateLimiterError({
                reason: new RateLimiter.RateLimitStoreError({ message: "The counter could not be asked.", cause })
              })
          )
        }
      })
    })
  ).pipe(Layer.provide(RateLimiter.layerStoreRedis({ prefix })))
