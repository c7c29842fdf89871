import { Effect } from "effect"
import { Message, type MessageFilter, Messages } from "../../../domain/messaging/conversations/Message.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { NotFound } from "../../wire/Errors.ts"
import { listAnswer, partOf } from "../../wire/Listing.ts"
import { spanOf } from "../../wire/RequestTime.ts"

const answer = listAnswer(Message)

type Asked = Omit<MessageFilter, "since" | "before"> & { readonly since?: string; readonly before?: string }

/** The filter of a query, whose instants are texts. */
export const filterOf = ({ status, direction, type, contactId, conversationId, ...span }: Asked): MessageFilter => ({
  ...{ status, direction, type, contactId, conversationId },
  ...spanOf(span)
})

/** Needs Messages. */
export const layer = group(
  AppApi,
  "messages",
  Effect.fn(function* (handlers) {
    const messages = yield* Messages
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("messages:read")
        const part = yield* partOf("messages", query)
        return answer(yield* messages.list(organizationId, filterOf(query), part), part)
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("messages:read")
        const found = yield* messages.find(organizationId, params.id)
        return found ?? (yield* new NotFound({ error: "There is no such message." }))
      })
    })
  })
)
