/** Where the commands log to. Those of `parley admin` have their own logger, because scripts read their output. */
import { Cause, Data, Effect, Logger, Runtime } from "effect"
import { isProduction } from "../../config/Config.ts"
import type { Settings } from "../../config/Environment.ts"
import { messageOf } from "../../domain/basics/ErrorMessage.ts"

/** JSON for machines in production, one readable line for people elsewhere. */
const loggingIn = (production: boolean) => Logger.layer([production ? Logger.consoleJson : Logger.consolePretty()])

/** How a process with these settings logs. */
export const logging = ({ environment }: Settings) => loggingIn(environment === "production")

/** A failure that is already in the log and is not reported again. */
class Logged extends Data.TaggedError("Logged")<{ readonly cause: unknown }> {
  override readonly [Runtime.errorReported] = false
}

/**
 * In production the last log line is the reason why a command failed, in the same format as all others. This holds also when the settings are
 * wrong and were not read. Elsewhere `runMain` shows the reason.
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
