/**
 * Is this process late? It is measured where callers would hear it: at the 20 ms ticker of all calls. Admission stops when the ticks of one
 * second were late by the limit on average. It starts again after three seconds in a row below half the limit.
 */
import type { Lateness } from "../../../audio/frames/MediaClock.ts"

/** Windows in a row that must be calm before calls are admitted again. */
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

  /** Ends a window. It takes the clock's lateness since the clock was made. A clock without ticks in the window is not late. */
  observe({ count, meanMs }: Lateness): void {
    const ticks = count - this.count
    const sumMs = meanMs * count
    const lateMs = ticks === 0 ? 0 : Math.max(0, (sumMs - this.sumMs) / ticks)
    this.count = count
    this.sumMs = sumMs
    this.judge(lateMs)
  }

  /** Ends a window that was late by so much on average. Milliseconds. */
  judge(lateMs: number): void {
    this.lateMs = lateMs
    if (this.lateMs >= this.limitMs) this.calm = 0
    else if (this.overloaded) this.calm = this.lateMs < this.limitMs / 2 ? this.calm + 1 : 0
  }
}
