/** Whether a clause of the agent's may be heard: its audio waits for it, and of what was cut off only what has passed is said after all. */
import { Deferred, type Effect, Exit } from "effect"

export class Verdict {
  private given: boolean | undefined
  private readonly known = Deferred.makeUnsafe<boolean>()

  /** Resolves when it is given: may the clause be heard? */
  readonly mayBeHeard: Effect.Effect<boolean> = Deferred.await(this.known)

  /** Whether it is known to be good. */
  get passed(): boolean {
    return this.given === true
  }

  /** The first one counts. */
  give(mayBeHeard: boolean): void {
    this.given ??= mayBeHeard
    Deferred.doneUnsafe(this.known, Exit.succeed(mayBeHeard))
  }
}
