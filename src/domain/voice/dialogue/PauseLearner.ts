/** Learns how long a caller pauses inside a turn: an exponential average, one per call. Touched once per pause. */

/** Weight of the newest pause: after five of them, two thirds of the average are this caller's own. */
const newWeight = 0.2
/** Shorter is breathing, longer is thinking about something else (ms). */
const shortestMs = 200
const longestMs = 2_000

export class PauseLearner {
  private average: number | undefined

  /** The usual pause in milliseconds (200 to 2,000); `undefined` before the first one. */
  get learnedMs(): number | undefined {
    return this.average
  }

  /** Call it when the caller paused for `pauseMs` and went on with the same turn. */
  observe(pauseMs: number): void {
    if (Number.isNaN(pauseMs)) return
    const pause = Math.min(longestMs, Math.max(shortestMs, pauseMs))
    this.average = this.average === undefined ? pause : this.average + newWeight * (pause - this.average)
  }
}
