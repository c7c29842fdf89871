/**
 * Sends a broadcast to one recipient. The message has the id that the recipient got at its first claim, so a repeated attempt makes no second
 * message. The message's own transaction updates the recipient's row.
 */
import { Clock, Duration, Effect, Schema } from "effect"
import { traced } from "../../../domain/basics/Traced.ts"
import { BroadcastQueue, type ClaimedRecipient } from "../../../domain/messaging/broadcasts/BroadcastQueue.ts"
import { outgoingTypes } from "../../../domain/messaging/sending/OutgoingMessage.ts"
import { makeSendMessage } from "../../../domain/messaging/sending/SendMessage.ts"
import { Operation } from "../../../domain/people/access/Idempotency.ts"

/** A recipient at its hourly limit waits until at most this long after the start of the broadcast, and is then skipped. Milliseconds. */
const longestWaitMs = 24 * 3_600_000
const againMs = 5_000
/** With the lease between two attempts they take about half an hour. */
const mostAttempts = 30

const decodeBody = Schema.decodeUnknownEffect(outgoingTypes.template)

/** The operation of the recipient's message: `SendMessage` derives the message id from it. */
const operationOf = ({ messageId }: ClaimedRecipient): string => `brd_${messageId.slice(messageId.indexOf("_") + 1)}`

/** Takes BroadcastQueue and what `SendMessage` needs once. Returns a function that sends to one claimed recipient. */
export const makeSendToRecipient = Effect.gen(function* () {
  const queue = yield* BroadcastQueue
  const sendMessage = yield* makeSendMessage

  const send = Effect.fnUntraced(function* (recipient: ClaimedRecipient) {
    const { organizationId, contactId, broadcastId, broadcast, components } = recipient
    const { templateName, language } = broadcast
    const body = yield* decodeBody({ type: "template", templateName, language, components })
    yield* sendMessage({ organizationId, to: { contactId }, body, sentBy: broadcastId }).pipe(
      Effect.provideService(Operation, operationOf(recipient))
    )
  })

  /** A recipient that got its twenty messages of the hour waits for the next hour, for a day at most. */
  const waitForHour = Effect.fnUntraced(function* (recipient: ClaimedRecipient, reset: Duration.Duration, now: number) {
    const dueAt = now + Duration.toMillis(reset)
    yield* dueAt - recipient.startedAt > longestWaitMs
      ? queue.skip(recipient, "rate_limited", now)
      : queue.postpone(recipient, dueAt)
  })

  const attempt = Effect.fnUntraced(function* (recipient: ClaimedRecipient) {
    const now = yield* Clock.currentTimeMillis
    yield* send(recipient).pipe(
      Effect.catchTags({
        TooManySends: ({ limitState }) => waitForHour(recipient, limitState.reset, now),
        ContactOptedOut: () => queue.skip(recipient, "opted_out", now),
        SendTargetMissing: () => queue.skip(recipient, "erased", now),
        SendMismatch: ({ message }) => queue.giveUp(recipient, message, now),
        SchemaError: () =>
          queue.giveUp(recipient, "What the contact's fields make of the template cannot be sent.", now),
        // If it is final, the next claim finds out why.
        MessageWithheld: () => queue.postpone(recipient, now + againMs),
        // It may have been stored: the next attempt has the same message id.
        ConversationBusy: () => queue.postpone(recipient, now + againMs)
      })
    )
  })

  const failed = Effect.fnUntraced(function* (recipient: ClaimedRecipient) {
    if (recipient.attempts < mostAttempts) return
    const reason = "It could not be sent: something is wrong at our side, see the service's log."
    yield* queue.giveUp(recipient, reason, yield* Clock.currentTimeMillis)
  })

  return traced("Broadcast.send")((recipient: ClaimedRecipient) =>
    attempt(recipient).pipe(
      // The recipient is tried again when the lease ends.
      Effect.catchDefect((defect) =>
        Effect.andThen(
          Effect.logError("a message of a broadcast could not be stored", {
            broadcastId: recipient.broadcastId,
            contactId: recipient.contactId,
            defect
          }),
          failed(recipient)
        )
      )
    )
  )
})
