/**
 * Messages on their way to the channel. One is in the outbox from the moment it is stored until the channel has it, or it has failed: any
 * report about it (`Messages.report`) takes it out, in the transaction of that report. Of each conversation only the first is given out.
 */
import { Context, Effect, Latch, Schema } from "effect"
import type { OutgoingMessage } from "../channel/MessagingChannel.ts"

/** What the queue holds. */
export const QueuedMessage = Schema.Struct({ organizationId: Schema.String, messageId: Schema.String })
export type QueuedMessage = typeof QueuedMessage.Type

/** A claim on a queued message; a later claim (`attempt` is higher) ends it. */
export interface OutboxClaim extends QueuedMessage {
  readonly attempt: number
}

/** What is to be done with a claimed message. Times are Unix milliseconds. */
export type Beginning =
  /** Hand it over, now: it is noted that the channel may have it from here on. `unanswered`: how often it may have had it before. */
  | {
      readonly _tag: "Send"
      readonly message: OutgoingMessage
      readonly queuedAt: number
      readonly unanswered: number
    }
  /** The channel may have it already; a report would say so until then. */
  | { readonly _tag: "Wait"; readonly until: number }
  /** It can never be handed over; the sentence says why. */
  | { readonly _tag: "Impossible"; readonly reason: string }
  /** It is with the channel, failed, erased, or somebody else's by now. */
  | { readonly _tag: "Over" }

export class Outbox extends Context.Service<
  Outbox,
  {
    /** To be asked right before handing over. `patienceMs`: how long a report is waited for after a handing over without an answer. */
    readonly begin: (claim: OutboxClaim, now: number, patienceMs: number) => Effect.Effect<Beginning>
  }
>()("parley/domain/Outbox") {}

/** A message goes back into the queue until then. */
export class Postponed extends Schema.TaggedError<Postponed>()("Postponed", {
  /** Unix milliseconds. */
  until: Schema.Number,
  reason: Schema.String,
  /** The channel certainly did not take it. */
  untouched: Schema.Boolean
}) {}

/** Wakes this process when something was put into the outbox, so that it looks at once; others look every second. */
export const OutboxWakeUp = Context.Reference("parley/domain/OutboxWakeUp", {
  defaultValue: () => {
    const latch = Latch.makeUnsafe(false)
    return {
      wake: Effect.sync(() => void latch.openUnsafe()),
      /** Waits for a wake-up; one that came since the last wait counts. */
      woken: Effect.tap(latch.await, () => Effect.sync(() => latch.closeUnsafe()))
    }
  }
})
