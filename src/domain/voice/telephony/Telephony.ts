/** Port to the telephony provider: what a live call can be told to do from our side. */
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
    /** Replaces what the live call is doing with a new TwiML document (this closes its media stream). */
    readonly redirect: (
      account: TelephonyAccount,
      callSid: string,
      twiml: string
    ) => Effect.Effect<void, TelephonyError>
  }
>()("parley/domain/Telephony") {}
