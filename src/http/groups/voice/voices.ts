/** `/api/voices`: the voices and languages to choose from for an agent. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { voiceRefusal } from "../../../domain/people/organizations/Organization.ts"
import { VoicePreview } from "../../../domain/voice/agents/PreviewVoice.ts"
import { PrimaryLanguage } from "../../../domain/voice/agents/VoiceAgent.ts"
import { VoiceCatalogue } from "../../../domain/voice/agents/VoiceCatalogue.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { needsPlan } from "../../wire/caller/CallerNeeds.ts"
import { BadRequest, Forbidden, ServerError, TooMany } from "../../wire/Errors.ts"

export class VoicesGroup extends HttpApiGroup.make("voices")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { language: Schema.optionalKey(PrimaryLanguage) },
      success: VoiceCatalogue,
      error: Forbidden
    }).annotateMerge(OpenApi.annotations({ summary: "List voices", description: "Scope `voice:read`." })),
    HttpApiEndpoint.post("preview", "/preview", {
      payload: VoicePreview,
      success: HttpApiSchema.StreamUint8Array({ contentType: "audio/wav" }),
      error: [BadRequest, Forbidden, TooMany, ServerError]
    })
      .annotateMerge(needsPlan(voiceRefusal))
      .annotateMerge(
        OpenApi.annotations({
          summary: "Hear a voice",
          description:
            "The text as an agent with this voice says it: a WAV file as telephones hear it. 30 a minute for an organization. Scope `voice:read`."
        })
      )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/voices") {}
