import { Effect } from "effect"
import type { MessageWithheld } from "../../../domain/messaging/conversations/Message.ts"
import {
  type ContactOptedOut,
  makeSendMessage,
  type SendMismatch,
  type SendTargetMissing
} from "../../../domain/messaging/sending/SendMessage.ts"
import { sendTo } from "../../../domain/messaging/sending/SendRequest.ts"
import { callerId } from "../../../domain/people/access/Access.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { tellLimitState } from "../../middleware/RateLimit.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, conversationBusy, Forbidden, NotFound, TooMany } from "../../wire/Errors.ts"
import { makeNeedChannel } from "./needChannel.ts"

/** What the refusals of `SendMessage` are answered with, but for the limit and the conversation that moves, whose answers have headers. */
export const sendErrors = {
  SendTargetMissing: ({ message }: SendTargetMissing) => new NotFound({ error: message }),
  SendMismatch: ({ message }: SendMismatch) => new BadRequest({ error: message }),
  ContactOptedOut: ({ message }: ContactOptedOut) => new Forbidden({ error: message }),
  // Only messages of broadcasts can be withheld.
  MessageWithheld: (error: MessageWithheld) => Effect.die(error)
}

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
        const { to: given, replyTo, ...body } = payload
        const to = sendTo(given)
        // A conversation of team chat has a channel of its own.
        if (!("conversationId" in to)) yield* needChannel(caller.organizationId)
        const sending = {
          organizationId: caller.organizationId,
          to,
          body,
          replyTo,
          sentBy: callerId(caller)
        }
        const { message, limitState } = yield* sendMessage(sending).pipe(
          Effect.catchTags({
            ...sendErrors,
            TooManySends: ({ message, limitState }) =>
              Effect.andThen(tellLimitState(limitState), new TooMany({ error: message })),
            ConversationBusy: conversationBusy
          })
        )
        if (limitState !== undefined) yield* tellLimitState(limitState)
        const { id: messageId, conversationId, contactId, status } = message
        return { messageId, conversationId, contactId, status }
      })
    })
  })
)
