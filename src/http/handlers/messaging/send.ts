import { Effect } from "effect"
import { makeSendMessage } from "../../../domain/messaging/sending/SendMessage.ts"
import { sendTo } from "../../../domain/messaging/sending/SendRequest.ts"
import { callerId } from "../../../domain/people/access/Access.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { tellLimitState } from "../../middleware/RateLimit.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, conversationBusy, Forbidden, NotFound, TooMany } from "../../wire/Errors.ts"
import { makeNeedChannel } from "./needChannel.ts"

/** Needs what `SendMessage` needs, and ChannelConnections. */
export const layer = group(
  AppApi,
  "send",
  Effect.fn(function* (handlers) {
    const sendMessage = yield* makeSendMessage
    const needChannel = yield* makeNeedChannel
    return handlers.handleAll({
      send: Effect.fnUntraced(function* ({ payload }) {
        const caller = yield* requireScope("messages:send")
        yield* needChannel(caller.organizationId)
        const { to, replyTo, ...body } = payload
        const sending = {
          organizationId: caller.organizationId,
          to: sendTo(to),
          body,
          replyTo,
          sentBy: callerId(caller)
        }
        const { message, limitState } = yield* sendMessage(sending).pipe(
          Effect.catchTags({
            SendTargetMissing: (error) => new NotFound({ error: error.message }),
            SendMismatch: (error) => new BadRequest({ error: error.message }),
            ContactOptedOut: (error) => new Forbidden({ error: error.message }),
            TooManySends: ({ message, limitState }) =>
              Effect.andThen(tellLimitState(limitState), new TooMany({ error: message })),
            ConversationBusy: conversationBusy,
            // Only messages of broadcasts can be withheld.
            MessageWithheld: Effect.die
          })
        )
        if (limitState !== undefined) yield* tellLimitState(limitState)
        const { id: messageId, conversationId, contactId, status } = message
        return { messageId, conversationId, contactId, status }
      })
    })
  })
)
