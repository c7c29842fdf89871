/** Counters of rate limits in memory, for a single process. Their window reaches back from each request (`RequestCounters`). */
import { Clock, Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { RequestCounters } from "../../domain/basics/limits/RequestCounters.ts"

export const layer: Layer.Layer<RateLimiter.RateLimiterStore> = Layer.effect(
  RateLimiter.RateLimiterStore,
  Effect.map(RateLimiter.RateLimiterStore, (store) => {
    const counters = new RequestCounters()
    return RateLimiter.RateLimiterStore.of({
      ...store,
      fixedWindow: (options) => {
        const { key, tokens, refillRate, limit } = options
        // Without a limit the length of the window is unknown.
        if (limit === undefined) return store.fixedWindow(options)
        return Effect.map(Clock.currentTimeMillis, (now) =>
          counters.take(key, tokens, Duration.toMillis(refillRate) * limit, limit, now)
        )
      }
    })
  })
).pipe(Layer.provide(RateLimiter.layerStoreMemory))
