/** The telephony provider's webhooks. They take forms and answer with call instructions. The provider signs its requests. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Decoding } from "../../middleware/Decoding.ts"
import { bodyLimit } from "../../wire/BodyLimit.ts"
import { BadRequest, Forbidden, NotFound, TooMany } from "../../wire/Errors.ts"

/** The path of the provider's webhooks, after the public base URL. */
export const telephonyPath = "/api/webhooks/telephony"

/** Forms have more fields than the example. The service reads these. */
const payload = Schema.Record(Schema.String, Schema.String)
  .annotate({
    examples: [
      {
        AccountSid: "AC0f1e2d3c4b5a69788796a5b4c3d2e1f0",
        CallSid: "CA5f2b0c7d9e41a3865f2b0c7d9e41a386",
        From: "+14155550123",
        To: "+16175550142",
        CallStatus: "ringing"
      }
    ]
  })
  .pipe(HttpApiSchema.asFormUrlEncoded())
/** Instructions for the call (TwiML). */
const success = Schema.String.annotate({
  examples: ['<?xml version="1.0" encoding="UTF-8"?><Response><Hangup/></Response>']
}).pipe(HttpApiSchema.asText({ contentType: "text/xml" }))
const error = [BadRequest, Forbidden, TooMany] as const
/** `transfer` is part of the address that the provider received, so the signature covers it. */
const query = { transfer: Schema.String }
/** `call` is the call in which the caller leaves a message. It is part of the address too, so the signature covers it. */
const message = { payload, success, query: { call: Schema.String }, error: [...error, NotFound] }
const step = { payload, success, query, error: [...error, NotFound] }

export class TelephonyGroup extends HttpApiGroup.make("telephony")
  .add(
    HttpApiEndpoint.post("voice", "/voice", { payload, success, error }).annotateMerge(
      OpenApi.annotations({ summary: "An inbound call" })
    ),
    HttpApiEndpoint.post("continue", "/voice/continue", { payload, success, error }).annotateMerge(
      OpenApi.annotations({ summary: "The stream of a call has ended" })
    ),
    HttpApiEndpoint.post("outbound", "/outbound/:id", {
      params: { id: Schema.String },
      payload,
      success,
      error: [...error, NotFound]
    }).annotateMerge(OpenApi.annotations({ summary: "A callee has answered" })),
    // Without `call` the form's CallSid names the call. Inbound calls are reported this way.
    HttpApiEndpoint.post("status", "/status", {
      payload,
      query: { call: Schema.optionalKey(Schema.String) },
      success,
      error
    }).annotateMerge(OpenApi.annotations({ summary: "A call has changed its state" })),
    HttpApiEndpoint.post("transferEnded", "/transfer/ended", step).annotateMerge(
      OpenApi.annotations({ summary: "A transfer is over" })
    ),
    HttpApiEndpoint.post("queueWait", "/queue/wait", step).annotateMerge(
      OpenApi.annotations({ summary: "A caller waits in line" })
    ),
    HttpApiEndpoint.post("queueLeft", "/queue/left", step).annotateMerge(
      OpenApi.annotations({ summary: "A caller has left the line" })
    ),
    HttpApiEndpoint.post("messageEnded", "/message/ended", message).annotateMerge(
      OpenApi.annotations({ summary: "A caller has left a message" })
    ),
    HttpApiEndpoint.post("messageRecorded", "/message/recorded", message).annotateMerge(
      OpenApi.annotations({ summary: "The recording of a message is there" })
    ),
    HttpApiEndpoint.get("speech", "/speech/:file", {
      params: { file: Schema.String },
      success: HttpApiSchema.StreamUint8Array({ contentType: "audio/wav" }),
      error: NotFound
    }).annotateMerge(OpenApi.annotations({ summary: "Speech for a call, as a WAV file" }))
  )
  .middleware(Decoding)
  .annotateEndpointsMerge(bodyLimit(64 * 1024))
  .prefix(telephonyPath) {}
