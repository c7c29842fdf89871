/** The calls of this process together, for whoever wants to end it. */
import { Context, Effect, Layer } from "effect"

export class RunningCalls extends Context.Service<
  RunningCalls,
  {
    /** Running calls, and those whose stream is awaited. */
    readonly count: Effect.Effect<number>
    /** Every agent says its closing words and hangs up, also in calls whose stream is yet to come; the calls end with `max_duration`. No call is let in any more. */
    readonly sayGoodbye: Effect.Effect<void>
    /** Ends them where they are, with `error`; resolves when their ends are on record. */
    readonly cutOff: Effect.Effect<void>
    /** Resolves when the app knows all there is to know of them, and their recordings are stored. Those that are over count as well. */
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
