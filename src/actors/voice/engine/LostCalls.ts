/**
 * Calls whose link is lost. The link is opened again at once, and the process with the sound then says which calls it has: those are gone on with by
 * whoever takes them. The others have ended. What one process says tells nothing of the calls of another.
 */

export interface LostCall {
  /** Another mind goes on with the call. */
  readonly leave: () => void
  /** Its sound is gone. */
  readonly fail: () => void
}

/** The lost calls of one process. */
interface Lost {
  readonly calls: Map<string, LostCall>
  readonly timer: ReturnType<typeof setTimeout>
}

/** A sound that cannot be reached for so long is gone. Milliseconds. */
const waitMs = 3_000

export class LostCalls {
  private readonly lost = new Map<string, Lost>()

  /** `sound`: the process with the call's sound. */
  add(sound: string, callId: string, call: LostCall): void {
    const before = this.lost.get(sound)
    clearTimeout(before?.timer)
    const calls = before?.calls ?? new Map<string, LostCall>()
    calls.set(callId, call)
    this.lost.set(sound, { calls, timer: setTimeout(() => this.settle(sound, new Set()), waitMs).unref() })
  }
  /** This process has these calls. */
  settle(sound: string, held: ReadonlySet<string>): void {
    const lost = this.lost.get(sound)
    if (lost === undefined) return
    this.lost.delete(sound)
    clearTimeout(lost.timer)
    for (const [callId, { leave, fail }] of lost.calls)
      if (held.has(callId)) leave()
      else fail()
  }
}
