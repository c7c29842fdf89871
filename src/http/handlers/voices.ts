import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Organizations } from "../../domain/Organization.ts"
import { voiceCatalogue } from "../../domain/VoiceCatalogue.ts"
import { AppApi } from "../Api.ts"
import { requireScope } from "../middleware/Authorization.ts"

const noFlags = { voiceAgents: false, voicePremium: false }

/** Needs Organizations. */
export const layer = HttpApiBuilder.group(
  AppApi,
  "voices",
  Effect.fn(function* (handlers) {
    const organizations = yield* Organizations
    return handlers.handleAll({
      list: Effect.fn("voices.list")(function* ({ query }) {
        const { organizationId } = yield* requireScope("voice:read")
        const organization = yield* organizations.find(organizationId)
        return voiceCatalogue(organization ?? { flags: noFlags }, query.language)
      })
    })
  })
)
