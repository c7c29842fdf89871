/** Work that a process does again and again as long as it lives: what fails is told and tried again, and never ends it. */
import { type Cause, type Duration, Effect, type Scope } from "effect"

export interface Rhythm {
  /** Between the end of one run and the next. */
  readonly every: Duration.Input
  /** Before the first run; without it that comes at once. */
  readonly first?: Duration.Input
  /** Ends a pause early, where somebody may tell that there is work. */
  readonly wake?: Effect.Effect<unknown>
  /** `error` where somebody has to look after it; a `warning` gets better by itself. Default `warning`. */
  readonly level?: "warning" | "error"
}

/** Begins it, in the scope, and does not wait for it. `trouble` is what the log says of a run that fails, whatever way: the next one comes all the same. */
export const periodically = <A, E, R>(
  trouble: string,
  { every, first, wake, level = "warning" }: Rhythm,
  work: Effect.Effect<A, E, R>
): Effect.Effect<void, never, R | Scope.Scope> => {
  const told = (cause: Cause.Cause<E>) =>
    level === "error" ? Effect.logError(trouble, cause) : Effect.logWarning(trouble, cause)
  const pause = wake === undefined ? Effect.sleep(every) : Effect.timeoutOption(wake, every)
  const again = Effect.forever(Effect.andThen(Effect.catchCause(work, told), pause))
  return Effect.asVoid(Effect.forkScoped(first === undefined ? again : Effect.andThen(Effect.sleep(first), again)))
}
