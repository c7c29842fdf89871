import { Context, Effect, Layer } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { type Answer, makeAnswerCall } from "../../domain/AnswerCall.ts"
import { TelephonyConnections } from "../../domain/PhoneNumber.ts"
import { type FormFields, verifyTwilioSignature } from "../../domain/TwilioSignature.ts"
import { connectStream, hangUp, reject, sayAndHangUp } from "../../domain/Twiml.ts"
import { AppApi } from "../Api.ts"
import { BadRequest, Forbidden } from "../Errors.ts"

export interface TelephonyOptions {
  /** What the provider has been told, e.g. `https://app.example.com`: signatures are over this, never over the Host header. */
  readonly publicBaseUrl: string
}

/** Where the provider's webhooks arrive from outside. */
export class TelephonyAddress extends Context.Service<TelephonyAddress, TelephonyOptions>()(
  "parley/http/TelephonyAddress"
) {
  static readonly layer = ({ publicBaseUrl }: TelephonyOptions): Layer.Layer<TelephonyAddress> =>
    Layer.succeed(TelephonyAddress, { publicBaseUrl: publicBaseUrl.replace(/\/+$/, "") })
}

/** An account nobody has is checked like any other, so that it cannot be told from a bad signature. */
const dummyToken = "00000000000000000000000000000000"

const formFields = (text: string): FormFields => {
  const params = new URLSearchParams(text)
  const fields: Record<string, string | ReadonlyArray<string>> = Object.create(null)
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name)
    fields[name] = values.length === 1 ? values[0] : values
  }
  return fields
}

const xml = (document: string) => HttpServerResponse.text(document, { contentType: "text/xml" })

/** Needs TelephonyAddress, TelephonyConnections, Organizations, PhoneNumbers, VoiceAgents, Calls, EngineClient. */
export const layer = HttpApiBuilder.group(
  AppApi,
  "telephony",
  Effect.fn(function* (handlers) {
    const { publicBaseUrl } = yield* TelephonyAddress
    const connections = yield* TelephonyConnections
    const answerCall = yield* makeAnswerCall

    /** The form and the account it came from; 403 for anybody else. */
    const verified = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers["content-type"] ?? ""))
        return yield* new BadRequest({ error: "The Content-Type must be application/x-www-form-urlencoded." })
      const fields = formFields(yield* Effect.orDie(request.text))
      const field = (name: string) => (typeof fields[name] === "string" ? fields[name] : "")
      const connection = yield* connections.findByAccount(field("AccountSid"))
      const signature = request.headers["x-twilio-signature"]
      const url = `${publicBaseUrl}${request.originalUrl}`
      const good = verifyTwilioSignature(connection?.authToken ?? dummyToken, signature, url, fields)
      if (connection === undefined || !good) {
        yield* Effect.logWarning("refused a telephony webhook", { accountSid: field("AccountSid").slice(0, 40) })
        return yield* new Forbidden({ error: "The signature of this webhook is not valid." })
      }
      return { connection, field }
    })

    const instructions = (answer: Answer): string => {
      switch (answer._tag) {
        case "Connect":
          return connectStream({
            action: `${publicBaseUrl}/api/webhooks/telephony/voice/continue`,
            url: answer.streamUrl,
            parameters: { callId: answer.callId, token: answer.token }
          })
        case "Say":
          return sayAndHangUp(answer.sentence)
        case "Busy":
          return reject("busy")
        case "HangUp":
          return hangUp()
      }
    }

    return handlers
      .handleRaw(
        "voice",
        Effect.fn("telephony.voice")(function* ({ request }) {
          const { connection, field } = yield* verified(request)
          const [callSid, from, to] = [field("CallSid"), field("From"), field("To")]
          if (callSid === "" || to === "") return yield* new BadRequest({ error: "CallSid and To are required." })
          return xml(instructions(yield* answerCall(connection, { callSid, from, to })))
        })
      )
      .handleRaw(
        "continue",
        Effect.fn("telephony.continue")(function* ({ request }) {
          yield* verified(request)
          return xml(hangUp())
        })
      )
  })
)
