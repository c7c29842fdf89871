/**
 * What the agent is doing with what it has to say. Times are monotonic milliseconds. It is replying while the model may still add clauses.
 *
 *   Silent ──(expectReply, a guess)──▶ Held ──(release)──▶ Waiting ──(first frame)──▶ Speaking ◀──(pause, resume)──▶ Paused
 *      └──(expectReply, expectLine)──────────────────────────▲
 *
 * Speaking is soft after `soften` until `resume`. `fallSilent` leads to Silent from every state.
 */
type State =
  /** The agent says nothing, and nothing is expected. */
  | { readonly tag: "Silent" }
  /** Held: a reply to a guess, kept back until the guess is right. Waiting: speech begins when there is audio and the caller is not speaking. */
  | { readonly tag: "Held" | "Waiting"; replying: boolean; interruptible: boolean }
  | { readonly tag: "Speaking"; replying: boolean; readonly startedAt: number; soft: boolean }
  | { readonly tag: "Paused"; replying: boolean; readonly startedAt: number; readonly pausedAt: number }

const silent: State = { tag: "Silent" }

export class AgentState {
  private state: State = silent

  get silent(): boolean {
    return this.state.tag === "Silent"
  }
  get held(): boolean {
    return this.state.tag === "Held"
  }
  get waiting(): boolean {
    return this.state.tag === "Waiting"
  }
  get speaking(): boolean {
    return this.state.tag === "Speaking"
  }
  /** Whether an utterance has begun and not ended yet, also while it is paused. */
  get audible(): boolean {
    return this.state.tag === "Speaking" || this.state.tag === "Paused"
  }
  get replying(): boolean {
    return this.state.tag !== "Silent" && this.state.replying
  }
  get soft(): boolean {
    return this.state.tag === "Speaking" && this.state.soft
  }
  /** Whether the caller may interrupt the utterance that has not begun yet. */
  get interruptible(): boolean {
    return (this.state.tag === "Held" || this.state.tag === "Waiting") && this.state.interruptible
  }

  /** A reply joins the utterance under way; else it waits, or is held back. The caller may interrupt it. */
  expectReply(held: boolean): void {
    if (this.state.tag === "Speaking" || this.state.tag === "Paused") this.state.replying = true
    else this.state = { tag: held ? "Held" : "Waiting", replying: true, interruptible: true }
  }

  /** No more clauses come. */
  replyEnded(): void {
    if (this.state.tag !== "Silent") this.state.replying = false
  }

  /** A fixed line waits. `interruptible` holds for an utterance that has not begun. */
  expectLine(interruptible: boolean): void {
    if (this.state.tag === "Silent") this.state = { tag: "Waiting", replying: false, interruptible }
    else if (this.state.tag === "Held" || this.state.tag === "Waiting") this.state.interruptible = interruptible
  }

  /** False when nothing was held back. */
  release(): boolean {
    if (this.state.tag !== "Held") return false
    const { replying, interruptible } = this.state
    this.state = { tag: "Waiting", replying, interruptible }
    return true
  }

  /** The first frame goes out. Gives whether the caller may interrupt the utterance; undefined when it has begun before. */
  begin(now: number): boolean | undefined {
    if (this.state.tag !== "Waiting") return undefined
    const { replying, interruptible } = this.state
    this.state = { tag: "Speaking", replying, startedAt: now, soft: false }
    return interruptible
  }

  /** False when the agent is not speaking, or is soft. */
  soften(): boolean {
    if (this.state.tag !== "Speaking" || this.state.soft) return false
    this.state.soft = true
    return true
  }

  /** False when the agent is not speaking. */
  pause(now: number): boolean {
    if (this.state.tag !== "Speaking") return false
    const { replying, startedAt } = this.state
    this.state = { tag: "Paused", replying, startedAt, pausedAt: now }
    return true
  }

  /** As loud as before. False when the agent was not paused. */
  resume(): boolean {
    if (this.state.tag === "Speaking") this.state.soft = false
    if (this.state.tag !== "Paused") return false
    const { replying, startedAt } = this.state
    this.state = { tag: "Speaking", replying, startedAt, soft: false }
    return true
  }

  fallSilent(): void {
    this.state = silent
  }

  /** When the utterance under way began, and ended when it is paused; both are `now` when there is none. */
  beganAt(now: number): number {
    return this.state.tag === "Speaking" || this.state.tag === "Paused" ? this.state.startedAt : now
  }
  endedAt(now: number): number {
    return this.state.tag === "Paused" ? this.state.pausedAt : now
  }
}
