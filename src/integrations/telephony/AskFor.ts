/** One request to the provider's REST interface, with its answer decoded by a schema. */
import type { Effect, Schema } from "effect"
import type { ProvisioningError } from "../../domain/voice/telephony/Provisioning.ts"
import type { TelephonyAccount } from "../../domain/voice/telephony/Telephony.ts"
import type { TwilioRequest } from "./TwilioClient.ts"

/** Sends the request and decodes the answer. An answer of another shape is a defect. */
export type AskFor = <A>(
  account: TelephonyAccount,
  request: TwilioRequest,
  schema: Schema.ConstraintDecoder<A>
) => Effect.Effect<A, ProvisioningError>
