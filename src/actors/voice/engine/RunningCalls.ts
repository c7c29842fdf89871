/** All calls of this process, for the code that stops the process. */
import { Context, Effect, Layer } from "effect"

export class RunningCalls extends Context.Service<
  RunningCalls,
  {
    /** Running calls, and reserved ones whose stream has not come yet. */
    readonly count: Effect.Effect<number>
    /**
     * Every agent says its closing words and hangs up, also in calls whose stream is yet to come. The calls end with `max_duration`. No more
     * calls are admitted.
     */
    readonly sayGoodbye: Effect.Effect<void>
    /** Ends all running calls at once, with `error`. Resolves when their ends are in the journal. */
    readonly cutOff: Effect.Effect<void>
    /** Running calls that no other process could go on with: those whose sound is here, and those that have grown too large. */
    readonly unkept: Effect.Effect<number>
    /** Calls whose stream is on its way: those placed within the last moment, and those that have just begun. */
    readonly awaited: Effect.Effect<number>
    /** The agents of calls that no other process could go on with say their closing words and hang up. */
    readonly endUnkept: Effect.Effect<void>
    /** From now on the end of this process leaves the running calls to another one: they have no end on record here, and nobody says goodbye. */
    readonly leave: Effect.Effect<void>
    /** Resolves when the app has all events of the calls and their recordings are stored, including calls that have ended. */
    readonly delivered: Effect.Effect<void>
  }
>()("parley/actors/RunningCalls") {
  /** For a process without an engine. */
  static readonly layerNone: Layer.Layer<RunningCalls> = Layer.succeed(RunningCalls, {
    count: Effect.succeed(0),
    sayGoodbye: Effect.void,
    cutOff: Effect.void,
    unkept: Effect.succeed(0),
    awaited: Effect.succeed(0),
    endUnkept: Effect.void,
    leave: Effect.void,
    delivered: Effect.void
  })
}
