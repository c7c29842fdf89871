import { Effect } from "effect"
import { Messages } from "../../domain/Message.ts"
import { AppApi } from "../Api.ts"
import { partOf, toList } from "../Listing.ts"
import { requireScope } from "../middleware/Authorization.ts"
import { group } from "../RequestServices.ts"

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
        return toList(yield* messages.list(organizationId, part), part)
      })
    })
  })
)
