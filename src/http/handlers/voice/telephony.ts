import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { SpeechCache } from "../../../domain/ai/providers/SpeechCache.ts"
import { Precedence } from "../../../domain/basics/Precedence.ts"
import { mulawWav } from "../../../domain/basics/Wav.ts"
import { makeAnswerCall } from "../../../domain/voice/calls/inbound/AnswerCall.ts"
import { twimlOf } from "../../../domain/voice/calls/inbound/CallInstructions.ts"
import { makeTakeVoicemail, type TakeVoicemailAnswer } from "../../../domain/voice/calls/inbound/TakeVoicemail.ts"
import { makeEndTransfer } from "../../../domain/voice/calls/live/EndTransfer.ts"
import type { TransferAnswer, TransferWebhook } from "../../../domain/voice/calls/live/TransferWebhook.ts"
import { makeWaitInLine } from "../../../domain/voice/calls/live/WaitInLine.ts"
import { makeAnswerOutbound } from "../../../domain/voice/calls/outbound/AnswerOutbound.ts"
import { makeTrackCalls, type StatusCallback } from "../../../domain/voice/calls/outbound/TrackCalls.ts"
import { hangUp, nothing } from "../../../domain/voice/telephony/twilio/Twiml.ts"
import { AppApi } from "../../groups/Api.ts"
import { telephonyPath } from "../../groups/voice/telephony.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, NotFound } from "../../wire/Errors.ts"
import { OwnAddress } from "../../wire/OwnAddress.ts"
import { makeTelephonyWebhook } from "../../wire/TelephonyWebhook.ts"

/**
 * Whether this request is the provider's fallback for another webhook that failed. Then the call is past its beginning, and the instructions that it
 * needs are not known here. The provider requests the fallback address for every failed instruction of a call.
 */
const standsInForAnother = (request: HttpServerRequest.HttpServerRequest, failedUrl: string): boolean => {
  if (failedUrl === "") return false
  // The base only makes the path a URL; the field may be no URL at all.
  return URL.parse(failedUrl)?.pathname !== URL.parse(request.originalUrl, "http://localhost")?.pathname
}

/** The file name for an entry of the speech cache. Its key cannot be guessed, and anybody who knows the key has already heard the speech. */
const speechFile = /^([0-9a-f]{64})\.wav$/
const recordingSid = /^RE[0-9a-zA-Z]{1,64}$/
const number = (text: string): number | undefined => (/^\d{1,9}$/.test(text) ? Number(text) : undefined)

const statusCallback = (callId: string | undefined, field: (name: string) => string): StatusCallback => {
  const at = Date.parse(field("Timestamp"))
  return {
    callId,
    callSid: field("CallSid"),
    status: field("CallStatus"),
    sequence: number(field("SequenceNumber")) ?? null,
    at: Number.isNaN(at) ? undefined : at,
    durationSeconds: number(field("CallDuration")) ?? null,
    sipResponse: field("SipResponseCode")
  }
}

const xml = (document: string) => HttpServerResponse.text(document, { contentType: "text/xml" })

/**
 * Needs OwnAddress, Precedence, TelephonyConnections, CalledNumbers, Organizations, VoiceAgents, Calls and EngineClient; for transfers Transfers,
 * Telephony and EscalationPolicy; for voicemails Voicemails, SpeechCache and TextToSpeech; for outbound calls Placements, ProviderCalls, Contacts
 * and Deals.
 */
export const layer = group(
  AppApi,
  "telephony",
  Effect.fn(function* (handlers) {
    const { publicBaseUrl } = yield* OwnAddress
    const verified = yield* makeTelephonyWebhook
    const { ahead } = yield* Precedence
    const answerCall = yield* makeAnswerCall
    const answerOutbound = yield* makeAnswerOutbound
    const trackCalls = yield* makeTrackCalls
    const waitInLine = yield* makeWaitInLine
    const { dialEnded, leftLine } = yield* makeEndTransfer
    const messages = yield* makeTakeVoicemail
    const speech = yield* SpeechCache

    const instructions = (answer: TransferAnswer | TakeVoicemailAnswer) =>
      xml(twimlOf(answer, `${publicBaseUrl}${telephonyPath}`))

    /** Answers one step of a transfer; 404 when the account or the call does not have this transfer. */
    const step = Effect.fnUntraced(function* (
      request: HttpServerRequest.HttpServerRequest,
      transferId: string,
      decide: (hook: TransferWebhook, field: (name: string) => string) => Effect.Effect<TransferAnswer | undefined>
    ) {
      const { connection, field } = yield* verified(request)
      const hook = { connection, transferId, callSid: field("CallSid"), callStatus: field("CallStatus") }
      const answer = yield* decide(hook, field)
      if (answer === undefined) return yield* new NotFound({ error: "There is no such transfer of this call." })
      return instructions(answer)
    })

    /** Answers both webhooks of a voicemail. Both report its recording; either may be lost, late or repeated. */
    const message = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, callId: string) {
      const { connection, field } = yield* verified(request)
      const hook = {
        connection,
        callId,
        callSid: field("CallSid"),
        recordingSid: field("RecordingSid"),
        recordingStatus: field("RecordingStatus")
      }
      if (hook.recordingSid === "") return xml(hangUp())
      if (!recordingSid.test(hook.recordingSid)) return yield* new BadRequest({ error: "RecordingSid is not valid." })
      if (yield* messages.recorded(hook)) return xml(hangUp())
      return yield* new NotFound({ error: "There is no such call of this account." })
    })

    return handlers
      .handleRaw(
        "voice",
        Effect.fnUntraced(function* ({ request }) {
          const { connection, field } = yield* verified(request)
          const [callSid, from, to] = [field("CallSid"), field("From"), field("To")]
          if (standsInForAnother(request, field("ErrorUrl"))) return xml(hangUp())
          if (callSid === "" || to === "") return yield* new BadRequest({ error: "CallSid and To are required." })
          return instructions(yield* answerCall(connection, { callSid, from, to }))
        }, ahead)
      )
      .handleRaw(
        "continue",
        Effect.fnUntraced(function* ({ request }) {
          yield* verified(request)
          return xml(hangUp())
        })
      )
      .handleRaw(
        "outbound",
        Effect.fnUntraced(function* ({ request, params }) {
          const { connection, field } = yield* verified(request)
          if (standsInForAnother(request, field("ErrorUrl"))) return xml(hangUp())
          const [callSid, answeredBy] = [field("CallSid"), field("AnsweredBy")]
          const answer = yield* answerOutbound(connection, { callId: params.id, callSid, answeredBy })
          if (answer === undefined) return yield* new NotFound({ error: "There is no such call." })
          return instructions(answer)
        }, ahead)
      )
      .handleRaw(
        "status",
        Effect.fnUntraced(function* ({ request, query }) {
          const { connection, field } = yield* verified(request)
          yield* trackCalls.callback(connection, statusCallback(query.call, field))
          return xml(nothing())
        })
      )
      .handleRaw("transferEnded", ({ request, query }) =>
        step(request, query.transfer, (hook, field) => dialEnded(hook, field("DialCallStatus")))
      )
      .handleRaw("queueWait", ({ request, query }) => step(request, query.transfer, waitInLine))
      .handleRaw("queueLeft", ({ request, query }) =>
        step(request, query.transfer, (hook, field) => leftLine(hook, field("QueueResult")))
      )
      .handleRaw("messageEnded", ({ request, query }) => message(request, query.call))
      .handleRaw("messageRecorded", ({ request, query }) => message(request, query.call))
      .handleRaw(
        "speech",
        Effect.fnUntraced(function* ({ params }) {
          const key = speechFile.exec(params.file)?.[1]
          const audio = key === undefined ? undefined : yield* speech.get(key)
          if (audio === undefined) return yield* new NotFound({ error: "There is no such speech." })
          return HttpServerResponse.uint8Array(mulawWav(audio), { contentType: "audio/wav" })
        })
      )
  })
)
