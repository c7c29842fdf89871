/**
 * Requests that came to an open port before there was a server for them: they wait for it, so many and so long. A process that takes the place of another
 * one listens before that one closes its port, and can serve when that one has ended.
 */
import type { UwsExchange } from "./UwsExchange.ts"

export interface WaitingRequestsLimits {
  /** How many requests may wait. */
  readonly most: number
  /** How many milliseconds each may wait. */
  readonly patienceMs: number
}

export const waitingDefaults: WaitingRequestsLimits = { most: 1_000, patienceMs: 30_000 }

interface Waiting {
  readonly source: UwsExchange
  readonly begin: () => void
  readonly timer: ReturnType<typeof setTimeout>
}

export class WaitingRequests {
  readonly #limits: WaitingRequestsLimits
  readonly #waiting = new Set<Waiting>()

  constructor(limits: WaitingRequestsLimits) {
    this.#limits = limits
  }

  /** How many wait now. */
  get size(): number {
    return this.#waiting.size
  }

  /** `begin` runs when the server is there; `refuse` when that takes too long, or too many wait; neither when the client goes away. */
  add(source: UwsExchange, begin: () => void, refuse: () => void): void {
    if (this.#waiting.size >= this.#limits.most) {
      refuse()
      return
    }
    const timer = setTimeout(() => {
      this.#remove(waiting)
      refuse()
    }, this.#limits.patienceMs)
    const waiting: Waiting = { source, begin, timer }
    this.#waiting.add(waiting)
    source.interrupt = () => this.#remove(waiting)
  }

  /** The server is there. */
  beginAll(): void {
    for (const waiting of [...this.#waiting]) {
      this.#remove(waiting)
      waiting.begin()
    }
  }

  /** They are over: the sockets are closed. */
  clear(): void {
    for (const waiting of [...this.#waiting]) this.#remove(waiting)
  }

  #remove(waiting: Waiting): void {
    clearTimeout(waiting.timer)
    this.#waiting.delete(waiting)
    waiting.source.interrupt = undefined
  }
}
