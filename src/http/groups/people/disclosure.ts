/** `/api/organization/disclosure`: the text at the beginning of every call of the organization. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { DisclosureText, DisclosureTexts } from "../../../domain/voice/agents/Disclosure.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Forbidden } from "../../wire/Errors.ts"

const example = { text: "This call may be recorded.", texts: { "hi-IN": "यह कॉल रिकॉर्ड हो सकती है।" } }

const DisclosureView = Schema.Struct({
  text: Schema.String,
  /** What agents of a language say instead, by the language. */
  texts: Schema.Record(Schema.String, Schema.String)
}).annotate({ examples: [example] })

export class DisclosureGroup extends HttpApiGroup.make("disclosure")
  .add(
    HttpApiEndpoint.get("get", "/", { success: DisclosureView, error: [Forbidden] }).annotateMerge(
      OpenApi.annotations({ summary: "Get the disclosure text", description: "Scope `voice:read`." })
    ),
    HttpApiEndpoint.put("set", "/", {
      payload: Schema.Struct({
        text: DisclosureText,
        /** What agents of a language say instead. All of them; without it they stay as they are. */
        texts: Schema.optionalKey(DisclosureTexts)
      }).annotate({ examples: [example] }),
      success: DisclosureView,
      error: [BadRequest, Forbidden]
    }).annotateMerge(OpenApi.annotations({ summary: "Set the disclosure text", description: "Scope `admin`." }))
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/organization/disclosure") {}
