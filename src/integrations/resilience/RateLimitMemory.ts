/**
 * Counters of rate limits in memory, for a single process. What `effect/persistence` calls a fixed window lets through twice the limit around the
 * edge of two windows; here the window ends at each request and reaches back from there: however it is laid, it never holds more than the limit.
 * Subjects that nothing happened to for a window are forgotten: else whoever asks from many addresses would fill the memory for good.
 */
import { Clock, Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"

/** Below this many counters nobody looks for ones that are over. */
const fewCounters = 10_000

interface Counter {
  /** When something happened within the window, oldest first; Unix time in milliseconds. */
  readonly times: Array<number>
  /** When the newest leaves the window. */
  endsAt: number
}

export class Counters {
  readonly #counters = new Map<string, Counter>()
  #sweepAt = fewCounters

  get size(): number {
    return this.#counters.size
  }

  /**
   * How much has happened within the window, these included, and milliseconds until all of it has left the window. Beyond `limit` these do not
   * happen, and the milliseconds are those until they may.
   */
  take(key: string, tokens: number, windowMs: number, limit: number, now: number): readonly [number, number] {
    const counter = this.#counters.get(key) ?? this.#begin(key, now)
    const { times } = counter
    while (times.length > 0 && times[0] <= now - windowMs) times.shift()
    const count = times.length + tokens
    if (count > limit) return [count, times[count - limit - 1] + windowMs - now]
    for (let i = 0; i < tokens; i++) times.push(now)
    counter.endsAt = now + windowMs
    return [count, windowMs]
  }

  #begin(key: string, now: number): Counter {
    if (this.#counters.size >= this.#sweepAt) {
      for (const [name, { endsAt }] of this.#counters) if (endsAt <= now) this.#counters.delete(name)
      // Twice what is in use, so that sweeping stays a small part of the work.
      this.#sweepAt = Math.max(fewCounters, this.#counters.size * 2)
    }
    const counter = { times: [], endsAt: now }
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
      fixedWindow: (options) => {
        const { key, tokens, refillRate, limit } = options
        // Without a limit nobody says how long the window is.
        if (limit === undefined) return store.fixedWindow(options)
        return Effect.map(Clock.currentTimeMillis, (now) =>
          counters.take(key, tokens, Duration.toMillis(refillRate) * limit, limit, now)
        )
      }
    })
  })
).pipe(Layer.provide(RateLimiter.layerStoreMemory))
