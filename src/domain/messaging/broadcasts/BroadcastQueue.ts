/** The work of broadcasts under way: the worker that sends them claims recipients whose turn it is, and says what became of each. */
import { Context, type Effect } from "effect"
import type { TemplateComponents } from "../templates/TemplateComponents.ts"
import type { Broadcast, SkipReason } from "./Broadcast.ts"

/** A recipient whose turn it is. `messageId` is the same whenever it is claimed again; `components` are made out for this contact. */
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
    /** It could not start. */
    readonly fail: (organizationId: string, broadcastId: string, reason: string, now: number) => Effect.Effect<void>
    /** How many of at most `most` messages may leave now at `perSecond`; they count as gone. */
    readonly pace: (organizationId: string, most: number, perSecond: number, now: number) => Effect.Effect<number>
    /**
     * At most `most` recipients of running broadcasts whose turn it is, with a conversation open for each; nobody else gets them for
     * `leaseMs`. Who is to get nothing is skipped by that. What changes after it is noticed when the message is stored: `MessageWithheld`.
     * `looked`: how many there were with those that were skipped; 0: it is nobody's turn.
     */
    readonly claim: (
      organizationId: string,
      most: number,
      leaseMs: number,
      now: number
    ) => Effect.Effect<{ readonly recipients: ReadonlyArray<ClaimedRecipient>; readonly looked: number }>
    readonly postpone: (recipient: ClaimedRecipient, dueAt: number) => Effect.Effect<void>
    readonly skip: (recipient: ClaimedRecipient, reason: SkipReason, now: number) => Effect.Effect<void>
    /** It will never be sent; `reason` is a sentence. */
    readonly giveUp: (recipient: ClaimedRecipient, reason: string, now: number) => Effect.Effect<void>
    /** Running broadcasts in which nobody waits and no message is on its way to the channel are completed, with an event; gives how many. */
    readonly complete: (organizationId: string, now: number) => Effect.Effect<number>
  }
>()("parley/domain/BroadcastQueue") {}
