/** `/api/messaging-api/messages`: recent messages across all conversations. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Message } from "../../../domain/messaging/conversations/Message.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Forbidden } from "../../wire/Errors.ts"
import { listOf, listQuery } from "../../wire/Listing.ts"

export class MessagesGroup extends HttpApiGroup.make("messages")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: listQuery,
      success: listOf(Message),
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List messages of all conversations, newest first",
        description:
          "To follow what is new, read the first page; to go through all of them, hand each `nextCursor` back as `cursor`. " +
          "Scope `messages:read`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/messaging-api/messages") {}
