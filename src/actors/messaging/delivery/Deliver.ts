/**
 * Hands one message to the channel. Before the request it stores a note that the channel may have the message. The channel's answer is stored as
 * a report, which ends the delivery. If the process dies in between, the note stays: the service then waits for a report of the channel before
 * it sends the message again.
 */
import { Clock, Duration, Effect, Fiber, Metric, Random, Schedule } from "effect"
import { RateLimiter } from "effect/persistence"
import { traced } from "../../../domain/basics/Traced.ts"
import {
  ChannelUnclear,
  MessagingChannel,
  type OutgoingMessage
} from "../../../domain/messaging/channel/MessagingChannel.ts"
import { type Message, Messages, type StatusReport } from "../../../domain/messaging/conversations/Message.ts"
import {
  type DeliveryRules,
  givenUp,
  mostUnanswered,
  retryPauseMs,
  unanswered as unansweredFailure
} from "../../../domain/messaging/sending/DeliveryRules.ts"
import { Outbox, type OutboxClaim, Postponed } from "../../../domain/messaging/sending/Outbox.ts"

const delivered = Metric.counter("parley_message_deliveries_total", {
  description: "Messages handed to the channel, by what came of it",
  incremental: true
})
const count = (outcome: "sent" | "failed" | "postponed" | "unclear") =>
  Metric.update(Metric.withAttributes(delivered, { outcome }), 1)

/** Storing the channel's answer is tried again while the database is away for a moment. */
const keepTelling = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")]).pipe(
  Schedule.upTo({ duration: "50 seconds" })
)

/** Messages that wait for a number's pace go on at multiples of this, so that they share database statements. Milliseconds. */
const burstEveryMs = 200
const untilNextBurst = (delay: Duration.Duration) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const due = now + Duration.toMillis(delay)
    return Math.ceil(due / burstEveryMs) * burstEveryMs - now
  })

/**
 * Takes Outbox, Messages, MessagingChannel and RateLimiter once. Returns a function that delivers one claimed message, and fails with Postponed
 * when the message is to be tried again.
 */
export const makeDeliver = Effect.fnUntraced(function* (rules: DeliveryRules) {
  const outbox = yield* Outbox
  const messages = yield* Messages
  const channel = yield* MessagingChannel
  const limiter = yield* RateLimiter.RateLimiter

  /** Waits until this organization's number may send another message. Without the counters it does not wait. */
  const pace = (organizationId: string) =>
    limiter
      .consume({
        algorithm: "token-bucket",
        onExceeded: "delay",
        key: `delivery:${organizationId}`,
        limit: rules.messagesPerSecond,
        window: "1 second"
      })
      .pipe(
        Effect.map(({ delay }) => delay),
        Effect.timeout("500 millis"),
        Effect.catch(() => Effect.succeed(Duration.zero)),
        Effect.flatMap((delay) =>
          Duration.isZero(delay) ? Effect.void : Effect.flatMap(untilNextBurst(delay), Effect.sleep)
        )
      )

  const tell = ({ organizationId, messageId }: OutboxClaim, report: StatusReport, channelMessageId?: string) => {
    const which = channelMessageId === undefined ? { messageId } : { messageId, channelMessageId }
    return messages.report(organizationId, which, report).pipe(Effect.sandbox, Effect.retry(keepTelling), Effect.orDie)
  }

  const failed = Effect.fnUntraced(function* (claim: OutboxClaim, failure: NonNullable<Message["failure"]>) {
    const at = new Date(yield* Clock.currentTimeMillis).toISOString()
    yield* tell(claim, { status: "failed", at, failure })
    yield* count("failed")
  })

  /** Puts the message back into the queue, or gives it up when it has been there for too long. */
  const postponed = Effect.fnUntraced(function* (
    claim: OutboxClaim,
    queuedAt: number,
    { reason, askedForMs, untouched }: { reason: string; askedForMs?: number | undefined; untouched: boolean }
  ) {
    const now = yield* Clock.currentTimeMillis
    const pause = retryPauseMs(rules, claim.attempt, yield* Random.next, askedForMs)
    if (untouched && now - queuedAt >= rules.giveUpAfterMs)
      return yield* failed(claim, givenUp(rules.giveUpAfterMs, reason))
    yield* count(untouched ? "postponed" : "unclear")
    const until = now + (untouched ? pause : Math.max(pause, rules.patienceMs))
    return yield* new Postponed({ until, reason, untouched })
  })

  /** The request itself. It runs in its own fiber, so that its time-out works inside the uninterruptible delivery. */
  const handOver = Effect.fnUntraced(function* (message: OutgoingMessage) {
    const request = channel.send(message).pipe(
      Effect.timeoutOrElse({
        duration: rules.handoverMs,
        orElse: () => Effect.fail(new ChannelUnclear({ reason: "The channel did not answer in time." }))
      }),
      Effect.catchDefect((defect) =>
        Effect.andThen(
          Effect.logError("handing a message over broke", { messageId: message.messageId }, defect),
          new ChannelUnclear({ reason: "Handing the message over broke." })
        )
      )
    )
    return yield* Fiber.join(yield* Effect.forkDetach(Effect.interruptible(request)))
  })

  const sent = Effect.fnUntraced(function* (claim: OutboxClaim, channelMessageId: string) {
    const at = new Date(yield* Clock.currentTimeMillis).toISOString()
    yield* tell(claim, { status: "sent", at }, channelMessageId)
    yield* count("sent")
  })

  const send = Effect.fnUntraced(function* (claim: OutboxClaim, message: OutgoingMessage, queuedAt: number) {
    yield* handOver(message).pipe(
      Effect.matchEffect({
        onSuccess: ({ channelMessageId }) => sent(claim, channelMessageId),
        onFailure: (problem) => {
          switch (problem._tag) {
            case "ChannelRefused":
              return failed(claim, { code: problem.code, reason: problem.reason })
            case "ChannelUnavailable":
              return postponed(claim, queuedAt, {
                reason: problem.reason,
                askedForMs: problem.retryAfterMs,
                untouched: true
              })
            case "ChannelUnclear":
              return postponed(claim, queuedAt, { reason: problem.reason, untouched: false })
          }
        }
      })
    )
  })

  const deliver = Effect.fnUntraced(function* (claim: OutboxClaim) {
    const beginning = yield* outbox.begin(claim, yield* Clock.currentTimeMillis, rules.patienceMs)
    switch (beginning._tag) {
      case "Over":
        return
      case "Impossible":
        return yield* failed(claim, { code: null, reason: beginning.reason })
      case "Wait":
        return yield* new Postponed({ until: beginning.until, reason: "Waiting for a report.", untouched: false })
      case "Send": {
        const { message, queuedAt, unanswered } = beginning
        if (unanswered >= mostUnanswered) return yield* failed(claim, unansweredFailure)
        return yield* send(claim, message, queuedAt)
      }
    }
  })

  return traced("Delivery.deliver")(function* (claim: OutboxClaim) {
    yield* pace(claim.organizationId)
    // Uninterruptible: a delivery that has begun is finished.
    yield* Effect.uninterruptible(deliver(claim))
  })
})
