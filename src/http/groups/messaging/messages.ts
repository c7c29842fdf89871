/** `/api/messaging-api/messages`: messages of all conversations, and single ones. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Message } from "../../../domain/messaging/conversations/Message.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Forbidden, NotFound } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { listOf, listQuery } from "../../wire/Listing.ts"
import { spanQuery } from "../../wire/RequestTime.ts"

/** Conditions on messages, in queries. */
export const messageFilter = {
  status: Schema.optionalKey(Message.fields.status),
  direction: Schema.optionalKey(Message.fields.direction),
  type: Schema.optionalKey(Message.fields.type),
  ...spanQuery
}

export class MessagesGroup extends HttpApiGroup.make("messages")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...listQuery,
        ...messageFilter,
        conversationId: Schema.optionalKey(Id),
        contactId: Schema.optionalKey(Id)
      },
      success: listOf(Message),
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List messages of all conversations, newest first",
        description:
          "To follow what is new, read the first page; to go through all of them, hand each `nextCursor` back as `cursor`. `since` and `before` " +
          "are instants. Scope `messages:read`."
      })
    ),
    HttpApiEndpoint.get("get", "/:id", {
      params: { id: Id },
      success: Message,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a message",
        description: "With its status, its times and why it failed. Scope `messages:read`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/messaging-api/messages") {}
