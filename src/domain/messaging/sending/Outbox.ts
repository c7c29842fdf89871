/**
 * The outbox: messages on their way to the channel. A message is in it from the moment it is stored until the channel has it or it has failed. Any
 * report on the message (`Messages.report`) removes it, in the transaction of that report. Only the first message of a conversation can be claimed.
 */
import { Context, Effect, Latch, Schema } from "effect"
import type { OutgoingMessage } from "../channel/MessagingChannel.ts"

/** An entry of the queue. */
export const QueuedMessage = Schema.Struct({ organizationId: Schema.String, messageId: Schema.String })
export type QueuedMessage = typeof QueuedMessage.Type

/** A claim on a queued message. A later claim has a higher `attempt` and ends this one. */
export interface OutboxClaim extends QueuedMessage {
  readonly attempt: number
}

/** What to do with a claimed message. Times are Unix milliseconds. */
export type Beginning =
  /** Hand it over now; the store has recorded that the channel may have it. `unanswered`: earlier handovers without an answer. */
  | {
      readonly _tag: "Send"
      readonly message: OutgoingMessage
      readonly queuedAt: number
      readonly unanswered: number
    }
  /** The channel may have it already: wait for a report until this time. */
  | { readonly _tag: "Wait"; readonly until: number }
  /** It can never be handed over; `reason` is a sentence. */
  | { readonly _tag: "Impossible"; readonly reason: string }
  /** Nothing to do: the channel has it, or it failed, was erased, or has a later claim. */
  | { readonly _tag: "Over" }

/** Port of the stored outbox. */
export class Outbox extends Context.Service<
  Outbox,
  {
    /** Says what to do with a claimed message; call it right before the handover. `patienceMs`: the wait for a report after a lost answer. */
    readonly begin: (claim: OutboxClaim, now: number, patienceMs: number) => Effect.Effect<Beginning>
  }
>()("parley/domain/Outbox") {}

/** The message goes back into the queue until the time `until`. */
export class Postponed extends Schema.TaggedError<Postponed>()("Postponed", {
  /** Unix milliseconds. */
  until: Schema.Number,
  reason: Schema.String,
  /** Whether the channel certainly did not accept it. */
  untouched: Schema.Boolean
}) {}

/** Wakes the outbox worker of this process when a message was put into the outbox. Other processes poll every second. */
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
