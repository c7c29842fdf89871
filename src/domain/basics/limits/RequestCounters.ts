/**
 * Counters of requests in the memory of one process. A fixed window lets twice the limit through around the edge of two windows. Here the window
 * ends at each request and reaches back from it, so no window ever holds more than the limit. A counter without requests for a whole window is
 * forgotten; otherwise requests from many addresses would fill the memory for good.
 */

/** Below this many counters, expired ones are not searched for. */
const fewCounters = 10_000
/** The most counters. Further ones take the place of those that were used longest ago: a subject that goes on asking keeps its own. */
export const mostCounters = 200_000
/** So many are given up at once: to find the first of a map from which the first ones were deleted takes tens of microseconds. */
const givenUpAtOnce = 1_000

interface RequestCounter {
  /** The times of the requests within the window, oldest first; Unix time in milliseconds. */
  readonly times: Array<number>
  /** When the newest time leaves the window. */
  endsAt: number
}

export class RequestCounters {
  /** In the order of their last use. */
  readonly #counters = new Map<string, RequestCounter>()
  #sweepAt = fewCounters

  get size(): number {
    return this.#counters.size
  }

  /**
   * Takes `tokens` at `now`. Returns the number of tokens within the window, these included, and the milliseconds until all of them have left it.
   * Beyond `limit` nothing is taken, and the milliseconds are those until these tokens may be taken. Less than no tokens: the newest are given back.
   */
  take(key: string, tokens: number, windowMs: number, limit: number, now: number): readonly [number, number] {
    const counter = this.#counters.get(key) ?? this.#begin(now)
    this.#counters.delete(key)
    this.#counters.set(key, counter)
    const { times } = counter
    while (times.length > 0 && times[0] <= now - windowMs) times.shift()
    if (tokens < 0) times.length = Math.max(0, times.length + tokens)
    const count = times.length + Math.max(0, tokens)
    if (count > limit) return [count, times[count - limit - 1] + windowMs - now]
    for (let i = 0; i < tokens; i++) times.push(now)
    counter.endsAt = now + windowMs
    return [count, windowMs]
  }

  #begin(now: number): RequestCounter {
    if (this.#counters.size >= this.#sweepAt) {
      for (const [name, { endsAt }] of this.#counters) if (endsAt <= now) this.#counters.delete(name)
      // Twice the number in use, so that sweeping stays a small part of the work.
      this.#sweepAt = Math.max(fewCounters, this.#counters.size * 2)
    }
    if (this.#counters.size >= mostCounters) {
      let left = givenUpAtOnce
      for (const name of this.#counters.keys()) {
        if (left-- === 0) break
        this.#counters.delete(name)
      }
    }
    return { times: [], endsAt: now }
  }
}
