/**
 * `/api/voice-phone-numbers/sip-credentials`: the credentials that the organization's own carrier signs in with. For administrators only, at most 5
 * requests a minute.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { SipCredentials } from "../../../domain/voice/telephony/SipCredentials.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Conflict, Forbidden, NotFound, ServerError, TooMany } from "../../wire/Errors.ts"
import { ShownOnce } from "../../wire/ShownOnce.ts"

const error = [BadRequest, Forbidden, NotFound, Conflict, TooMany, ServerError] as const

export class SipCredentialsGroup extends HttpApiGroup.make("sipCredentials")
  .add(
    HttpApiEndpoint.get("get", "/", { success: SipCredentials, error }).annotateMerge(
      OpenApi.annotations({ summary: "Get the SIP credentials, set up on first use", description: "Scope `admin`." })
    ),
    HttpApiEndpoint.post("regenerate", "/regenerate", { success: SipCredentials, error })
      .annotate(ShownOnce, ["password"])
      .annotateMerge(OpenApi.annotations({ summary: "Make a new SIP password", description: "Scope `admin`." })),
    HttpApiEndpoint.delete("revoke", "/", {
      success: Schema.Struct({ revoked: Schema.Literal(true) }),
      error
    }).annotateMerge(OpenApi.annotations({ summary: "Revoke the SIP credentials", description: "Scope `admin`." }))
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/voice-phone-numbers/sip-credentials") {}
