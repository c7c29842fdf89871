/** `/api/voices`: the voices and languages to choose from for an agent. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { PrimaryLanguage } from "../../../domain/voice/agents/VoiceAgent.ts"
import { VoiceCatalogue } from "../../../domain/voice/agents/VoiceCatalogue.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { Forbidden } from "../../wire/Errors.ts"

export class VoicesGroup extends HttpApiGroup.make("voices")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { language: Schema.optionalKey(PrimaryLanguage) },
      success: VoiceCatalogue,
      error: Forbidden
    }).annotateMerge(OpenApi.annotations({ summary: "List voices", description: "Scope `voice:read`." }))
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/voices") {}
