/** Work that a process repeats as long as it lives. A run that fails is logged; it does not end the repetition. */
import { type Cause, type Duration, Effect, type Scope } from "effect"

export interface Rhythm {
  /** The pause between the end of one run and the next. */
  readonly every: Duration.Input
  /** The pause before the first run. Without it the first run starts at once. */
  readonly first?: Duration.Input
  /** Ends a pause early when it completes: there is work now. */
  readonly wake?: Effect.Effect<unknown>
  /** How a failed run is logged: `error` when an operator has to act, `warning` (the default) when it passes by itself. */
  readonly level?: "warning" | "error"
}

/** Starts the repetition in the scope and does not wait for it. `trouble` is the log message of a run that fails, also by a defect. */
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
