/** Calls at Twilio: placing one, reading one, listing the newest. */
import { Effect, Layer } from "effect"
import { z } from "zod"
import { traced } from "../../domain/basics/Traced.ts"
import { type CallOrder, type ProviderCall, ProviderCalls } from "../../domain/voice/calls/outbound/ProviderCalls.ts"
import { statusNamed } from "../../domain/voice/calls/records/CallProgress.ts"
import { TelephonyError } from "../../domain/voice/telephony/Telephony.ts"
import * as Connections from "../connections/Connections.ts"
import { accountPath, makeTwilioClient, type TwilioClientOptions } from "./TwilioClient.ts"

/** Of the provider's call resource what we use; dates are RFC 2822, the duration is text. */
const CallResource = z.object({
  sid: z.string().min(1),
  status: z.string(),
  direction: z.string().nullish(),
  date_created: z.string().nullish(),
  end_time: z.string().nullish(),
  duration: z.string().nullish()
})
const CallList = z.object({ calls: z.array(CallResource) })

const time = (text: string | null | undefined): number | null => {
  const at = Date.parse(text ?? "")
  return Number.isNaN(at) ? null : at
}

const unreadable = new TelephonyError({
  status: null,
  code: null,
  message: "the answer is not the document it should be"
})

const providerCall = (resource: z.infer<typeof CallResource>): Effect.Effect<ProviderCall, TelephonyError> => {
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

const parse = <A>(schema: z.ZodType<A>, document: unknown): Effect.Effect<A, TelephonyError> => {
  const parsed = schema.safeParse(document)
  return parsed.success ? Effect.succeed(parsed.data) : Effect.fail(unreadable)
}

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
  const read = (document: unknown) => Effect.flatMap(parse(CallResource, document), providerCall)
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
      const { calls } = yield* parse(CallList, document)
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
