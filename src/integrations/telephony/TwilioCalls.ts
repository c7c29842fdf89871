/** Calls at Twilio: places a call, reads a call, and lists the newest calls. */
import { Effect, Layer, Schema } from "effect"
import { traced } from "../../domain/basics/Traced.ts"
import { type CallOrder, type ProviderCall, ProviderCalls } from "../../domain/voice/calls/outbound/ProviderCalls.ts"
import { statusNamed } from "../../domain/voice/calls/records/CallProgress.ts"
import { TelephonyError } from "../../domain/voice/telephony/Telephony.ts"
import * as Connections from "../connections/Connections.ts"
import { maybe } from "../web/Maybe.ts"
import { accountPath, makeTwilioClient, type TwilioClientOptions } from "./TwilioClient.ts"

/** The fields of the provider's call resource that we use. Dates are RFC 2822; the duration is text, in seconds. */
const CallResource = Schema.Struct({
  sid: Schema.NonEmptyString,
  status: Schema.String,
  direction: maybe(Schema.String),
  date_created: maybe(Schema.String),
  end_time: maybe(Schema.String),
  duration: maybe(Schema.String)
})
const CallList = Schema.Struct({ calls: Schema.Array(CallResource) })

const time = (text: string | null | undefined): number | null => {
  const at = Date.parse(text ?? "")
  return Number.isNaN(at) ? null : at
}

const unreadable = new TelephonyError({
  status: null,
  code: null,
  message: "the answer is not the document it should be"
})

const providerCall = (resource: typeof CallResource.Type): Effect.Effect<ProviderCall, TelephonyError> => {
  const status = statusNamed(resource.status)
  if (status === undefined) return Effect.fail(unreadable)
  return Effect.succeed({
    callSid: resource.sid,
    status,
    createdAt: time(resource.date_created),
    endedAt: time(resource.end_time),
    durationSeconds: resource.duration == null ? null : Number(resource.duration)
  })
}

const decoder = <A>(schema: Schema.ConstraintDecoder<A>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return (document: unknown) => Effect.mapError(decode(document), () => unreadable)
}
const decodeCall = decoder(CallResource)
const decodeList = decoder(CallList)

const form = (order: CallOrder) => ({
  To: order.to,
  From: order.from,
  Url: order.answerUrl,
  Method: "POST",
  FallbackUrl: order.answerUrl,
  FallbackMethod: "POST",
  StatusCallback: order.statusUrl,
  StatusCallbackMethod: "POST",
  StatusCallbackEvent: ["initiated", "ringing", "answered", "completed"],
  Timeout: String(order.ringSeconds),
  ...(order.machineDetection ? { MachineDetection: "Enable" } : {})
})

const make = Effect.fnUntraced(function* (options: TwilioClientOptions) {
  const { ask } = yield* makeTwilioClient(options, "telephony/twilio-calls")
  const read = (document: unknown) => Effect.flatMap(decodeCall(document), providerCall)
  return ProviderCalls.of({
    create: traced("TwilioCalls.create")((account, order) =>
      ask(account, {
        method: "POST",
        path: `${accountPath(account)}/Calls.json`,
        form: form(order),
        repeatable: false
      }).pipe(Effect.flatMap(read))
    ),
    fetch: traced("TwilioCalls.fetch")((account, callSid) =>
      ask(account, { method: "GET", path: `${accountPath(account)}/Calls/${encodeURIComponent(callSid)}.json` }).pipe(
        Effect.flatMap(read)
      )
    ),
    placed: traced("TwilioCalls.placed")(function* (account, { from, to }) {
      const document = yield* ask(account, {
        method: "GET",
        path: `${accountPath(account)}/Calls.json`,
        query: { From: from, To: to, PageSize: "50" }
      })
      const { calls } = yield* decodeList(document)
      return yield* Effect.forEach(
        calls.filter(({ direction }) => direction === "outbound-api"),
        providerCall
      )
    })
  })
})

/** `ProviderCalls` over HTTP; needs nothing but the options. */
export const layer = (options: TwilioClientOptions): Layer.Layer<ProviderCalls> =>
  Layer.effect(ProviderCalls, make(options)).pipe(Layer.provide(Connections.layer))
