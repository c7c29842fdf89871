/**
 * Counters of rate limits in memory, for a single process. As those of `effect/persistence`, but windows that are over are forgotten: else
 * whoever asks from many addresses would fill the memory for good.
 */
import { Clock, Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"

/** Below this many counters nobody looks for ones that are over. */
const fewCounters = 10_000

interface Counter {
  count: number
  /** Unix time in milliseconds. */
  endsAt: number
}

export class Counters {
  readonly #counters = new Map<string, Counter>()
  #sweepAt = fewCounters

  get size(): number {
    return this.#counters.size
  }

  /** Count and milliseconds left of the window, which grows by `perTokenMs` with each token; beyond `limit` neither is kept. */
  take(key: string, tokens: number, perTokenMs: number, limit: number, now: number): readonly [number, number] {
    const known = this.#counters.get(key)
    const counter = known === undefined || known.endsAt <= now ? this.#begin(key, now) : known
    if (counter.count + tokens > limit) return [counter.count + tokens, counter.endsAt - now]
    counter.count += tokens
    counter.endsAt += perTokenMs * tokens
    return [counter.count, counter.endsAt - now]
  }

  #begin(key: string, now: number): Counter {
    if (this.#counters.size >= this.#sweepAt) {
      for (const [name, { endsAt }] of this.#counters) if (endsAt <= now) this.#counters.delete(name)
      // Twice what is in use, so that sweeping stays a small part of the work.
      this.#sweepAt = Math.max(fewCounters, this.#counters.size * 2)
    }
    const counter = { count: 0, endsAt: now }
    this.#counters.set(key, counter)
    return counter
  }
}

export const layer: Layer.Layer<RateLimiter.RateLimiterStore> = Layer.effect(
  RateLimiter.RateLimiterStore,
  Effect.map(RateLimiter.RateLimiterStore, (store) => {
    const counters = new Counters()
    return RateLimiter.RateLimiterStore.of({
      ...store,
      fixedWindow: ({ key, tokens, refillRate, limit = Number.POSITIVE_INFINITY }) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          counters.take(key, tokens, Duration.toMillis(refillRate), limit, now)
        )
    })
  })
).pipe(Layer.provide(RateLimiter.layerStoreMemory))
