/** `/api/organization/disclosure`: the text at the beginning of every call of the organization. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { DisclosureText } from "../../../domain/voice/agents/Disclosure.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Forbidden } from "../../wire/Errors.ts"

const DisclosureView = Schema.Struct({ text: Schema.String }).annotate({
  examples: [{ text: "This call may be recorded." }]
})

export class DisclosureGroup extends HttpApiGroup.make("disclosure")
  .add(
    HttpApiEndpoint.get("get", "/", { success: DisclosureView, error: [Forbidden] }).annotateMerge(
      OpenApi.annotations({ summary: "Get the disclosure text", description: "Scope `voice:read`." })
    ),
    HttpApiEndpoint.put("set", "/", {
      payload: Schema.Struct({ text: DisclosureText }).annotate({ examples: [{ text: "This call may be recorded." }] }),
      success: DisclosureView,
      error: [BadRequest, Forbidden]
    }).annotateMerge(OpenApi.annotations({ summary: "Set the disclosure text", description: "Scope `admin`." }))
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/organization/disclosure") {}
