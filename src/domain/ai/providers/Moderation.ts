/** Port of the content-safety filter. Every model input and output passes it. A text without a verdict is not used (fail closed). */
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
  { readonly check: (text: string) => Effect.Effect<Verdict, ModerationError> }
>()("parley/domain/Moderation") {}
