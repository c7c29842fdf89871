/** Whether moderation lets a clause of the agent be heard. The audio of the clause waits for the verdict. */
import { Deferred, type Effect, Exit } from "effect"

export class Verdict {
  private given: boolean | undefined
  private readonly known = Deferred.makeUnsafe<boolean>()

  /** Resolves when the verdict is given: true when the clause may be heard. */
  readonly mayBeHeard: Effect.Effect<boolean> = Deferred.await(this.known)

  /** True once the verdict is given and the clause may be heard. */
  get passed(): boolean {
    return this.given === true
  }

  /** Gives the verdict. Later calls change nothing. */
  give(mayBeHeard: boolean): void {
    this.given ??= mayBeHeard
    Deferred.doneUnsafe(this.known, Exit.succeed(mayBeHeard))
  }
}
