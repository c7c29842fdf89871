/** The telephony provider's webhooks: forms in, call instructions out. The signature is the provider's own. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { BadRequest, Forbidden } from "../Errors.ts"

const payload = Schema.Record(Schema.String, Schema.String).pipe(HttpApiSchema.asFormUrlEncoded())
const success = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/xml" }))
const error = [BadRequest, Forbidden] as const

export class TelephonyGroup extends HttpApiGroup.make("telephony")
  .add(
    HttpApiEndpoint.post("voice", "/voice", { payload, success, error }),
    HttpApiEndpoint.post("continue", "/voice/continue", { payload, success, error })
  )
  .prefix("/api/webhooks/telephony") {}
