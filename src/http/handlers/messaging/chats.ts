import { Clock, Effect } from "effect"
import { Conversation, Conversations } from "../../../domain/messaging/conversations/Conversation.ts"
import { ConversationCommands } from "../../../domain/messaging/conversations/ConversationCommand.ts"
import { Message, Messages } from "../../../domain/messaging/conversations/Message.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, conversationBusy, NotFound } from "../../wire/Errors.ts"
import { listAnswer, partOf } from "../../wire/Listing.ts"
import { window } from "../../wire/Paging.ts"
import { filterOf } from "./messages.ts"

export const noSuchConversation = () => new NotFound({ error: "There is no such conversation." })

const answer = listAnswer(Conversation)
const answerMessages = listAnswer(Message)

/** Needs Conversations, Messages and ConversationCommands. */
export const layer = group(
  AppApi,
  "chats",
  Effect.fn(function* (handlers) {
    const conversations = yield* Conversations
    const messages = yield* Messages
    const commands = yield* ConversationCommands
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("conversations:read")
        const part = yield* partOf("chats", query)
        const { status, contactId, assignee, channel, label } = query
        const filter = { status, contactId, assignee, channel, label: label?.trim() }
        const now = yield* Clock.currentTimeMillis
        return answer(yield* conversations.list(organizationId, filter, part, now), part)
      }),
      get: Effect.fnUntraced(function* ({ params, query }) {
        const { organizationId } = yield* requireScope("conversations:read")
        const now = yield* Clock.currentTimeMillis
        const found = yield* conversations.find(organizationId, params.conversationId, window(query).limit, now)
        return found ?? (yield* noSuchConversation())
      }),
      messages: Effect.fnUntraced(function* ({ params: { conversationId }, query }) {
        const { organizationId } = yield* requireScope("conversations:read")
        const part = yield* partOf("messages", query)
        if (!(yield* conversations.exists(organizationId, conversationId))) return yield* noSuchConversation()
        return answerMessages(yield* messages.list(organizationId, filterOf({ ...query, conversationId }), part), part)
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        const { organizationId } = yield* requireScope("conversations:write")
        if (Object.keys(payload).length === 0)
          return yield* new BadRequest({ error: "Send at least one of status, assignee, labels and read." })
        const now = yield* Clock.currentTimeMillis
        const changed = yield* commands.change(organizationId, params.conversationId, payload, now).pipe(
          Effect.catchTags({
            ImpossibleChange: ({ message }) => new BadRequest({ error: message }),
            ConversationBusy: conversationBusy,
            NoSuchAssignee: ({ id }) =>
              new NotFound({ error: `There is no person or AI agent with the id ${id.slice(0, 60)}.` })
          })
        )
        return changed ?? (yield* noSuchConversation())
      })
    })
  })
)
