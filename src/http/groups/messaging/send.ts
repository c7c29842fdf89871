/** `/api/messaging-api/send`: sends one message of any of the ten types. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { exampleIds } from "../../../domain/basics/Examples.ts"
import { MessageStatus } from "../../../domain/messaging/conversations/Message.ts"
import { SendRequest } from "../../../domain/messaging/sending/SendRequest.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Conflict, Forbidden, NotFound, ServerError, TooMany } from "../../wire/Errors.ts"

export const SendResult = Schema.Struct({
  messageId: Schema.String,
  conversationId: Schema.String,
  contactId: Schema.String,
  /** `queued`; a later status only when the request repeats an earlier one. */
  status: MessageStatus
}).annotate({
  title: "SentMessage",
  examples: [
    {
      messageId: exampleIds.answer,
      conversationId: exampleIds.conversation,
      contactId: exampleIds.contact,
      status: "queued"
    }
  ]
})

const to = "+14155550123"

export class SendGroup extends HttpApiGroup.make("send")
  .add(
    HttpApiEndpoint.post("send", "/", {
      payload: SendRequest.annotate({
        title: "NewMessage",
        examples: [
          { to, type: "text", text: "Yes, two copies. Shall we put one aside for you?" },
          { to, type: "image", mediaUrl: "https://maplebooks.example/autumn.jpg", caption: "New this autumn" },
          {
            to,
            type: "template",
            templateName: "order_ready",
            language: "en_US",
            components: [
              {
                type: "body",
                parameters: [
                  { type: "text", text: "Asha" },
                  { type: "text", text: "2041" }
                ]
              }
            ]
          }
        ]
      }),
      success: SendResult,
      error: [BadRequest, Forbidden, NotFound, Conflict, TooMany, ServerError]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "messages.send",
        summary: "Send a message",
        description:
          "The message is stored and answered as `queued`, then handed to the channel: its status goes on to `sent`, `delivered`, `read`, or " +
          "`failed` with a reason. An unknown number becomes a contact. Messages of one conversation arrive in the order in which they were " +
          "answered. 20 messages an hour to one recipient; one more is 429. With an `Idempotency-Key` a repeated request sends nothing again. " +
          "`to` may also be a contact's id. Whoever opted out gets no templates (403). Scope `messages:send`."
      })
    )
  )
  .annotate(OpenApi.Title, "messages")
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/messaging-api/send") {}
