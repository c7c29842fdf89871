import { Effect } from "effect"
import { Message, Messages } from "../../../domain/messaging/conversations/Message.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { listAnswer, partOf } from "../../wire/Listing.ts"

const answer = listAnswer(Message)

/** Needs Messages. */
export const layer = group(
  AppApi,
  "messages",
  Effect.fn(function* (handlers) {
    const messages = yield* Messages
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("messages:read")
        const part = yield* partOf(query)
        return answer(yield* messages.list(organizationId, part), part)
      })
    })
  })
)
