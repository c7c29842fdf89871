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
    /** Resolves when the app has all events of the calls and their recordings are stored, including calls that have ended. */
    readonly delivered: Effect.Effect<void>
  }
>()("parley/actors/RunningCalls") {
  /** For a process without an engine. */
  static readonly layerNone: Layer.Layer<RunningCalls> = Layer.succeed(RunningCalls, {
    count: Effect.succeed(0),
    sayGoodbye: Effect.void,
    cutOff: Effect.void,
    delivered: Effect.void
  })
}
