/** `/api/messaging-api/chats`: conversations on every channel. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { exampleIds } from "../../../domain/basics/Examples.ts"
import { plainText } from "../../../domain/basics/PlainText.ts"
import { Conversation, ConversationDetail } from "../../../domain/messaging/conversations/Conversation.ts"
import { ConversationStatus } from "../../../domain/messaging/conversations/ConversationStatus.ts"
import { Message } from "../../../domain/messaging/conversations/Message.ts"
import { Channel } from "../../../domain/people/contacts/Channel.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Forbidden, NotFound, ServerError } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { listOf, listQuery } from "../../wire/Listing.ts"
import { pageQuery } from "../../wire/Paging.ts"
import { messageFilter } from "./messages.ts"

const params = { conversationId: Id }
const error = [BadRequest, Forbidden, NotFound] as const

const Label = plainText(64)

export const ChatChanges = Schema.Struct({
  status: Schema.optionalKey(ConversationStatus),
  /** The id of a user (`usr_…`) or a text agent (`bot_…`); null removes the assignee. A person silences the agent, a text agent takes over. */
  assignee: Schema.optionalKey(Schema.NullOr(Id)),
  /** All labels of the conversation, at most 20; those that are not named are removed. */
  labels: Schema.optionalKey(Schema.Array(Label).check(Schema.isMaxLength(20))),
  /** Marks all messages as read. */
  read: Schema.optionalKey(Schema.Literal(true))
}).annotate({
  title: "ConversationChanges",
  examples: [{ assignee: exampleIds.colleague, labels: ["order"], read: true }]
})

export class ChatsGroup extends HttpApiGroup.make("chats")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...listQuery,
        status: Schema.optionalKey(ConversationStatus),
        contactId: Schema.optionalKey(Id),
        assignee: Schema.optionalKey(Id),
        channel: Schema.optionalKey(Channel),
        label: Schema.optionalKey(Label)
      },
      success: listOf(Conversation),
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List conversations, the latest activity first",
        description:
          "`assignee` is the id of a person or an AI agent, or `none`; `label` one whole label. `window` says until when the messaging channel takes free text: 24 hours after the contact last wrote; null for other channels. " +
          "Scope `conversations:read`."
      })
    ),
    HttpApiEndpoint.get("get", "/:conversationId", {
      params,
      query: { limit: pageQuery.limit },
      success: ConversationDetail,
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a conversation with its recent messages",
        description:
          "`messages` are the newest `limit` (20 by default), newest first. A voice conversation has `calls`: the newest ten, each with what " +
          "was said. Reading does not count as read: see PATCH. Scope `conversations:read`."
      })
    ),
    HttpApiEndpoint.get("messages", "/:conversationId/messages", {
      params,
      query: { ...listQuery, ...messageFilter },
      success: listOf(Message),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the messages of a conversation, newest first",
        description: "Hand each `nextCursor` back as `cursor` to go back to its beginning. Scope `conversations:read`."
      })
    ),
    HttpApiEndpoint.patch("update", "/:conversationId", {
      params,
      payload: ChatChanges,
      success: Conversation,
      error: [...error, ServerError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Assign, label, resolve or reopen a conversation, or mark it read",
        description:
          "An assignee makes it ASSIGNED, `assignee: null` OPEN again; RESOLVED keeps the assignee; OPEN has none. " +
          "`labels` replaces all labels. " +
          "Scope `conversations:write`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/messaging-api/chats") {}
