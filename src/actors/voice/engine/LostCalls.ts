/**
 * Calls whose link is lost. The link is opened again at once, and the sound then says which calls it has: those are gone on with by whoever takes them. The
 * others have ended.
 */

export interface LostCall {
  /** Another mind goes on with the call. */
  readonly leave: () => void
  /** Its sound is gone. */
  readonly fail: () => void
}

/** A sound that cannot be reached for so long is gone. Milliseconds. */
const waitMs = 3_000

export class LostCalls {
  private readonly lost = new Map<string, LostCall>()
  private timer: ReturnType<typeof setTimeout> | undefined

  add(callId: string, call: LostCall): void {
    this.lost.set(callId, call)
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.settle(new Set()), waitMs).unref()
  }
  /** The sound has these calls. */
  settle(held: ReadonlySet<string>): void {
    clearTimeout(this.timer)
    for (const [callId, { leave, fail }] of this.lost)
      if (held.has(callId)) leave()
      else fail()
    this.lost.clear()
  }
}
