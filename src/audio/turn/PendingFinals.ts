/**
 * The transcripts that are still on their way: one per pause of the caller, since every pause asks speech-to-text for what was
 * said. They come in order, so a transcript answers the oldest request. Touched once per pause, never per frame.
 */

/** A request unanswered for this long is not the one that a new transcript answers. */
const ANSWER_MS = 1_500

interface Request {
  readonly pausedMs: number
  readonly waitUntilMs: number
  readonly overAgent: boolean
}

export class PendingFinals {
  private requests: Array<Request> = []

  /**
   * The caller paused at `pausedMs`; what was said is worth waiting for until `waitUntilMs`.
   * @param overAgent whether it was said while the agent was heard.
   */
  ask(pausedMs: number, waitUntilMs: number, overAgent: boolean): void {
    this.requests.push({ pausedMs, waitUntilMs, overAgent })
  }

  /** A transcript came, even an empty one. Says whether its words were spoken over the agent; `undefined` when nothing was asked. */
  answered(nowMs: number): boolean | undefined {
    while (this.requests.length > 1 && this.requests[0].pausedMs + ANSWER_MS < nowMs) this.requests.shift()
    return this.requests.shift()?.overAgent
  }

  /** Whether one is still worth waiting for. */
  waiting(nowMs: number): boolean {
    for (let i = 0; i < this.requests.length; i++) if (this.requests[i].waitUntilMs > nowMs) return true
    return false
  }

  clear(): void {
    this.requests = []
  }
}
