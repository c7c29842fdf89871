/**
 * The monotonic clock of the process at the other end of a link, on another machine: how far it is ahead of ours. A question is answered between its two
 * times here, so half a round trip is the most by which the answer can mislead. The best answer is kept, until a newer one is as good as it has become by
 * drift.
 */
import { type PeerTimes, ProtocolBroken } from "./Fields.ts"

/** The most by which two clocks go apart: each may be slewed by 500 parts in a million. Milliseconds a millisecond. */
export const mostDrift = 0.001

export class PeerClock implements PeerTimes {
  private aheadMs = 0
  private errorMs = Number.POSITIVE_INFINITY
  private comparedAt = 0

  /** The other side was asked at `asked` and had the time `at`; its answer came at `now`. */
  compared({ asked, at }: { readonly asked: number; readonly at: number }, now: number): void {
    const errorMs = (now - asked) / 2
    if (errorMs > this.errorAt(now)) return
    this.aheadMs = at - (asked + now) / 2
    this.errorMs = errorMs
    this.comparedAt = now
  }

  /** The most by which `ours` may be wrong now. Milliseconds. */
  errorAt(now: number): number {
    return this.errorMs + (now - this.comparedAt) * mostDrift
  }

  /** A time of the other side on our clock. 0 and infinite times, which say never, stay. */
  ours(theirs: number): number {
    if (theirs === 0) return 0
    if (this.errorMs === Number.POSITIVE_INFINITY)
      throw new ProtocolBroken("a time came before the clocks were compared")
    return theirs - this.aheadMs
  }
}
