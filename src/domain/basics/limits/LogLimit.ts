/**
 * Bounds the log lines of one kind that strangers can cause. Of each minute only the first lines are written; the next line after them says how many
 * were left out. Pure: the caller gives the time.
 */
const minute = 60_000

export class LogLimit {
  readonly #most: number
  #since = Number.NEGATIVE_INFINITY
  #written = 0
  #leftOut = 0

  /** Lines a minute. */
  constructor(most = 20) {
    this.#most = most
  }

  /** Whether a line may be written at `nowMs`: then the fields to add to it, which say how many lines before it were left out; else `undefined`. */
  take(nowMs: number): { readonly leftOut?: number } | undefined {
    if (nowMs - this.#since >= minute) {
      this.#since = nowMs
      this.#written = 0
    }
    if (this.#written >= this.#most) {
      this.#leftOut++
      return undefined
    }
    this.#written++
    const leftOut = this.#leftOut
    this.#leftOut = 0
    return leftOut === 0 ? {} : { leftOut }
  }
}
