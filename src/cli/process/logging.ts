/** Where the commands log to. Those of `parley admin` have their own: their answer is for scripts to read. */
import { Cause, Data, Effect, Logger, Runtime } from "effect"
import { isProduction } from "../../config/Config.ts"
import type { Settings } from "../../config/Environment.ts"
import { messageOf } from "../../domain/basics/ErrorMessage.ts"

/** JSON for machines in production, one readable line for people elsewhere. */
const loggingIn = (production: boolean) => Logger.layer([production ? Logger.consoleJson : Logger.consolePretty()])

/** How a process with these settings logs. */
export const logging = ({ environment }: Settings) => loggingIn(environment === "production")

/** What failed is in the log, and not to be told once more. */
class Logged extends Data.TaggedError("Logged")<{ readonly cause: unknown }> {
  override readonly [Runtime.errorReported] = false
}

/**
 * In production the reason why a command failed is its last line, in the form of all others: also when there are no settings yet, because they are
 * wrong. People are shown it by `runMain`.
 */
export const withFailureLogged = <A, E, R>(command: Effect.Effect<A, E, R>): Effect.Effect<A, E | Logged, R> =>
  Effect.catchCause(command, (cause) =>
    Effect.flatMap(isProduction, (production): Effect.Effect<never, E | Logged> => {
      if (!production || Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
      const failure = Cause.squash(cause)
      return Effect.logError(messageOf(failure), cause).pipe(
        Effect.provide(loggingIn(production)),
        Effect.andThen(new Logged({ cause: failure }))
      )
    })
  )
