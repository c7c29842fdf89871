import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { makePreviewVoice } from "../../../domain/voice/agents/PreviewVoice.ts"
import { voiceCatalogue } from "../../../domain/voice/agents/VoiceCatalogue.ts"
import { AppApi } from "../../groups/Api.ts"
import { makeOwnOrganization } from "../../middleware/OwnOrganization.ts"
import { makeRateLimit } from "../../middleware/RateLimit.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Forbidden, ServerError } from "../../wire/Errors.ts"

const previews = { name: "voice-previews", what: "voice previews", limit: 30, window: "1 minute" } as const

/** Needs Organizations, TextToSpeech and RateLimiter. */
export const layer = group(
  AppApi,
  "voices",
  Effect.fn(function* (handlers) {
    const ownOrganization = yield* makeOwnOrganization
    const preview = yield* makePreviewVoice
    const count = yield* makeRateLimit(previews)
    return handlers
      .handle(
        "list",
        Effect.fnUntraced(function* ({ query }) {
          return voiceCatalogue(yield* ownOrganization("voice:read"), query.language)
        })
      )
      .handle(
        "preview",
        Effect.fnUntraced(function* ({ payload }) {
          const organization = yield* ownOrganization("voice:read")
          yield* count(organization.id)
          const wav = yield* preview(organization, payload).pipe(
            Effect.catchTags({
              NoSuchVoice: ({ message }) => new BadRequest({ error: message }),
              VoiceNotAllowed: ({ message }) => new Forbidden({ error: message }),
              VoiceSilent: ({ message }) => new ServerError({ error: message })
            })
          )
          return HttpServerResponse.uint8Array(wav, {
            contentType: "audio/wav",
            headers: { "cache-control": "no-store" }
          })
        })
      )
  })
)
