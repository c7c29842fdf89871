/**
 * The network's clock: one timer for all calls, on an absolute monotonic schedule. Calls are spread over four phases, 5 ms
 * apart, as real ones are. After a stall the missed ticks are made up one at a time, letting sockets deliver in between.
 */
import { performance } from "node:perf_hooks"

const phases = 4
const stepMs = 5

export class Ticker {
  readonly #sinks: Array<Set<() => void>> = Array.from({ length: phases }, () => new Set())
  #timer: NodeJS.Timeout | undefined
  #next = 0
  #step = 0
  #size = 0
  #added = 0
  #closed = false

  /** Runs `onTick` every 20 ms until the returned function is called. The timer exists only while there are callbacks. */
  add(onTick: () => void): () => void {
    const sinks = this.#sinks[this.#added++ % phases]
    sinks.add(onTick)
    this.#size++
    if (this.#timer === undefined && !this.#closed) {
      this.#next = performance.now() + stepMs
      this.#schedule()
    }
    return () => {
      if (sinks.delete(onTick)) this.#size--
    }
  }

  get size(): number {
    return this.#size
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #schedule(): void {
    this.#timer = setTimeout(() => this.#run(), Math.max(0, this.#next - performance.now()))
  }

  #run(): void {
    if (this.#closed) return
    if (this.#size === 0) {
      this.#timer = undefined
      return
    }
    const sinks = this.#sinks[this.#step++ % phases]
    this.#next += stepMs
    for (const sink of sinks) sink()
    if (performance.now() >= this.#next) setImmediate(() => this.#run())
    else this.#schedule()
  }
}
