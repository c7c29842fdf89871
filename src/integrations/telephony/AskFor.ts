/** One request to the provider's REST interface, with its answer read by a schema. */
import type { Effect } from "effect"
import type { z } from "zod"
import type { ProvisioningError } from "../../domain/voice/telephony/Provisioning.ts"
import type { TelephonyAccount } from "../../domain/voice/telephony/Telephony.ts"
import type { TwilioRequest } from "./TwilioClient.ts"

/** Asks, and reads the answer with the schema; an answer of another shape is a defect of ours. */
export type AskFor = <A>(
  account: TelephonyAccount,
  request: TwilioRequest,
  schema: z.ZodType<A>
) => Effect.Effect<A, ProvisioningError>
