/** Port of the content-safety filter. Every model input and output passes it, through `JudgeTexts`. A text without a verdict is not used. */
import { Context, type Effect, Schema } from "effect"

export class ModerationError extends Schema.TaggedError<ModerationError>()("ModerationError", {
  reason: Schema.Literals(["unavailable", "timeout", "rejected", "protocol"]),
  message: Schema.String
}) {}

export interface Verdict {
  readonly flagged: boolean
  readonly categories: ReadonlyArray<string>
}

export class Moderation extends Context.Service<
  Moderation,
  {
    /** The verdicts of these texts, in order. At least one text; `JudgeTexts` knows how long and how many they may be. */
    readonly check: (texts: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Verdict>, ModerationError>
  }
>()("parley/domain/Moderation") {}
