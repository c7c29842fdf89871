/** Telephony through Twilio's REST interface: updates of live calls, which can all be repeated without harm. */
import { Effect, Layer } from "effect"
import { traced } from "../../domain/basics/Traced.ts"
import { Telephony, type TelephonyAccount } from "../../domain/voice/telephony/Telephony.ts"
import * as Connections from "../connections/Connections.ts"
import { usualPatienceMs } from "../resilience/Patience.ts"
import { accountPath, makeTwilioClient, type TwilioClientOptions } from "./TwilioClient.ts"

const make = Effect.fnUntraced(function* (options: TwilioClientOptions) {
  const { ask } = yield* makeTwilioClient(options, "telephony/twilio")
  const change = traced("TwilioLiveCalls.update")(
    (
      account: TelephonyAccount,
      callSid: string,
      form: Record<string, string>,
      waits: { readonly patienceMs?: number } = {}
    ) =>
      Effect.asVoid(
        ask(account, {
          method: "POST",
          path: `${accountPath(account)}/Calls/${encodeURIComponent(callSid)}.json`,
          form,
          ...waits
        })
      )
  )
  return Telephony.of({
    // The caller has been told that a human comes.
    redirect: (account, callSid, twiml) => change(account, callSid, { Twiml: twiml }, { patienceMs: usualPatienceMs })
  })
})

/** `Telephony` over HTTP; needs nothing but the options. */
export const layer = (options: TwilioClientOptions): Layer.Layer<Telephony> =>
  Layer.effect(Telephony, make(options)).pipe(Layer.provide(Connections.layer))
