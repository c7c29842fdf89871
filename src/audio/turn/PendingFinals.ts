/**
 * The transcripts that are still on their way: one per pause of the caller, since every pause asks speech-to-text for what was
 * said. They come in order, so a transcript answers the oldest request. Touched once per pause, never per frame.
 */

/** A request unanswered for this long is not the one that a new transcript answers, unless the answers of this call take longer. */
const ANSWER_MS = 1_500
/** How much longer than the slowest answer so far one may take, and what no answer takes, ms. */
const SLOWER = 1.5
const SLOWEST_MS = 4_000

/** Speech that speech-to-text was asked about. All times are media time, ms. */
export interface AskedSpeech {
  /** First and last voiced frame of it. */
  readonly beganMs: number
  readonly endedMs: number
  /** When it was asked for, and until when its words are worth waiting for. */
  readonly pausedMs: number
  readonly waitUntilMs: number
  /** Whether it was said while the agent was heard. */
  readonly overAgent: boolean
}

export class PendingFinals {
  private requests: Array<AskedSpeech> = []
  private answerMs = ANSWER_MS
  private held = false

  ask(speech: AskedSpeech): void {
    this.requests.push(speech)
  }

  /** A transcript came, even an empty one. Gives the speech that it is of; `undefined` when nothing was asked. */
  answered(nowMs: number): AskedSpeech | undefined {
    while (this.requests.length > 1 && this.requests[0].pausedMs + this.answerMs < nowMs) this.requests.shift()
    const only = this.requests.length === 1
    const speech = this.requests.shift()
    // Which request is answered is certain only when there is one.
    if (only && speech !== undefined && nowMs - speech.pausedMs < SLOWEST_MS)
      this.answerMs = Math.max(this.answerMs, Math.min(SLOWEST_MS, SLOWER * (nowMs - speech.pausedMs)))
    return speech
  }

  /** They can be late by any time from now on, until they are asked for again. */
  hold(): void {
    this.held = true
  }
  /** All are asked for once more, and are worth waiting for as long as before. */
  askAgain(nowMs: number): void {
    this.held = false
    this.requests = this.requests.map(({ pausedMs, waitUntilMs, ...speech }) => ({
      ...speech,
      pausedMs: nowMs,
      waitUntilMs: nowMs + waitUntilMs - pausedMs
    }))
  }

  /** Whether one is still worth waiting for. */
  waiting(nowMs: number): boolean {
    if (this.held) return this.requests.length > 0
    for (let i = 0; i < this.requests.length; i++) if (this.requests[i].waitUntilMs > nowMs) return true
    return false
  }

  clear(): void {
    this.requests = []
  }
}
