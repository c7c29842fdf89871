/** The telephony provider's webhooks: forms in, call instructions out. The signature is the provider's own. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Forbidden, NotFound } from "../../wire/Errors.ts"

/** Where the provider's webhooks are, behind the public base URL. */
export const telephonyPath = "/api/webhooks/telephony"

const payload = Schema.Record(Schema.String, Schema.String).pipe(HttpApiSchema.asFormUrlEncoded())
const success = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/xml" }))
const error = [BadRequest, Forbidden] as const
/** `transfer` is in the address that the provider was given, so the signature covers it. */
const query = { transfer: Schema.String }
/** So is the call that a message is left in. */
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
    // Without `call` it is about the call of the form's CallSid: inbound ones.
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
  .prefix(telephonyPath) {}
