import { Effect } from "effect"
import { voiceCatalogue } from "../../../domain/voice/agents/VoiceCatalogue.ts"
import { AppApi } from "../../groups/Api.ts"
import { makeOwnOrganization } from "../../middleware/OwnOrganization.ts"
import { group } from "../../server/RequestServices.ts"

/** Needs Organizations. */
export const layer = group(
  AppApi,
  "voices",
  Effect.fn(function* (handlers) {
    const ownOrganization = yield* makeOwnOrganization
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        return voiceCatalogue(yield* ownOrganization("voice:read"), query.language)
      })
    })
  })
)
