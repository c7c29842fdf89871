/** The queue of running broadcasts: the worker that sends them claims recipients whose turn it is and reports the outcome of each. */
import { Context, type Effect } from "effect"
import type { TemplateComponents } from "../templates/TemplateComponents.ts"
import type { Broadcast } from "./Broadcast.ts"
import type { SkipReason } from "./BroadcastRecipient.ts"

/** A recipient whose turn it is. A later claim has the same `messageId`. `components` have this contact's values for the placeholders. */
export interface ClaimedRecipient {
  readonly organizationId: string
  readonly broadcastId: string
  readonly contactId: string
  readonly messageId: string
  readonly attempts: number
  readonly broadcast: Pick<Broadcast, "templateName" | "language">
  readonly components: TemplateComponents
  /** When the broadcast started; Unix milliseconds. */
  readonly startedAt: number
}

/** The port of the worker that sends broadcasts. Times are Unix milliseconds. */
export class BroadcastQueue extends Context.Service<
  BroadcastQueue,
  {
    /** Organizations that have a broadcast running, or a scheduled one whose time has come. */
    readonly busy: Effect.Effect<ReadonlyArray<string>>
    /** Ids of scheduled broadcasts whose time has come. */
    readonly due: (organizationId: string, now: number) => Effect.Effect<ReadonlyArray<string>>
    /** Marks a scheduled broadcast that could not start as `failed`. `reason` is a sentence. */
    readonly fail: (organizationId: string, broadcastId: string, reason: string, now: number) => Effect.Effect<void>
    /** Takes permits from the organization's rate of `perSecond` messages; gives how many of `most` messages may be sent now. */
    readonly pace: (organizationId: string, most: number, perSecond: number, now: number) => Effect.Effect<number>
    /**
     * Claims at most `most` recipients of running broadcasts whose turn it is, for `leaseMs`, and opens a conversation for each. It skips
     * recipients that must not get the message. A change after the claim fails the storing of the message with `MessageWithheld`. `looked` is the
     * number of claimed and skipped recipients; 0 when it is nobody's turn.
     */
    readonly claim: (
      organizationId: string,
      most: number,
      leaseMs: number,
      now: number
    ) => Effect.Effect<{ readonly recipients: ReadonlyArray<ClaimedRecipient>; readonly looked: number }>
    /** Ends the claim; the recipient's turn comes again at `dueAt`. */
    readonly postpone: (recipient: ClaimedRecipient, dueAt: number) => Effect.Effect<void>
    /** Marks the recipient as `skipped`. */
    readonly skip: (recipient: ClaimedRecipient, reason: SkipReason, now: number) => Effect.Effect<void>
    /** Marks the recipient as `failed`: its message will never be sent. `reason` is a sentence. */
    readonly giveUp: (recipient: ClaimedRecipient, reason: string, now: number) => Effect.Effect<void>
    /** Completes running broadcasts in which no recipient waits and no message is on its way to the channel, each with an event; gives how many. */
    readonly complete: (organizationId: string, now: number) => Effect.Effect<number>
  }
>()("parley/domain/BroadcastQueue") {}
