/**
 * Is this process late? Measured where callers would hear it: at the 20 ms ticker of all calls. No new calls are admitted when the ticks of one second were
 * late by the limit on average, and opens again after three seconds in a row below half of it.
 */
import type { Lateness } from "../../../audio/frames/MediaClock.ts"

/** Windows in a row that must be calm before calls are taken again. */
const calmWindows = 3

export class Overload {
  private readonly limitMs: number
  private calm = calmWindows
  private count = 0
  private sumMs = 0
  /** Average lateness of the newest window, in milliseconds. */
  lateMs = 0

  /** @param limitMs average lateness of a window at which no new calls are admitted. */
  constructor(limitMs: number) {
    this.limitMs = limitMs
  }

  get overloaded(): boolean {
    return this.calm < calmWindows
  }

  /** Ends a window. `total` is the clock's lateness since it was made; a clock at rest is not late. */
  observe({ count, meanMs }: Lateness): void {
    const ticks = count - this.count
    const sumMs = meanMs * count
    this.lateMs = ticks === 0 ? 0 : Math.max(0, (sumMs - this.sumMs) / ticks)
    this.count = count
    this.sumMs = sumMs
    if (this.lateMs >= this.limitMs) this.calm = 0
    else if (this.overloaded) this.calm = this.lateMs < this.limitMs / 2 ? this.calm + 1 : 0
  }
}
