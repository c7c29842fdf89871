/** Port to the telephony provider for live calls. */
import { Context, type Effect, Schema } from "effect"

export class TelephonyError extends Schema.TaggedError<TelephonyError>()("TelephonyError", {
  status: Schema.NullOr(Schema.Int),
  code: Schema.NullOr(Schema.Int),
  message: Schema.String
}) {}

export interface TelephonyAccount {
  readonly accountSid: string
  readonly authToken: string
}

export class Telephony extends Context.Service<
  Telephony,
  {
    /** Replaces the live call's instructions with a new TwiML document. This closes its media stream. */
    readonly redirect: (
      account: TelephonyAccount,
      callSid: string,
      twiml: string
    ) => Effect.Effect<void, TelephonyError>
  }
>()("parley/domain/Telephony") {}
