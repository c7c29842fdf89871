/**
 * What the messaging channel told us, kept until it has been worked on: its webhooks are answered when they are stored. Each thing is worked
 * on once, in the order of its partition, on whichever node; one that fails again and again is kept with its error and holds up nobody.
 */
import { Context, type Effect, Schema } from "effect"

/** `media`: a file of a message that is to be fetched. */
export const InboxItemKind = Schema.Literals([
  "message",
  "status",
  "identity",
  "preference",
  "template",
  "media",
  "other"
])
export type InboxItemKind = typeof InboxItemKind.Type

/** What is worked on by asking the channel for something, which may take minutes; as claims know it. */
export const asksChannel = (kind: InboxItemKind): boolean => kind === "media" || kind === "template"

/** One thing the channel told us of. */
export interface NewInboxItem {
  readonly kind: InboxItemKind
  /** Items of one partition are worked on in order: those of one person, or of one message. */
  readonly partition: string
  /** The same for a second report of the same thing. */
  readonly deduplicationKey: string
  /** As the channel gave it. */
  readonly payload: Schema.Json
}

export interface InboxItem extends NewInboxItem {
  readonly organizationId: string
  /** `inb_…` */
  readonly id: string
  /** Times it was tried before. */
  readonly attempts: number
  /** Unix milliseconds. */
  readonly receivedAt: number
}

/** Where items are worked on. */
export interface Places {
  readonly free: number
  /** Of one organization, at most. */
  readonly perOrganization: number
  /** Whose items are worked on now, once for each. */
  readonly underWay: ReadonlyArray<string>
}

/** One that was given up, as an operator sees it. */
export interface FailedInboxItem extends Pick<InboxItem, "id" | "kind" | "attempts"> {
  readonly error: string
  readonly receivedAt: string
}

export class ChannelInbox extends Context.Service<
  ChannelInbox,
  {
    /** Stores those that are new; gives how many these are. Unix milliseconds. */
    readonly store: (organizationId: string, items: ReadonlyArray<NewInboxItem>, now: number) => Effect.Effect<number>
    /**
     * Takes items that are due, the first of their partitions; nobody else gets them until `leaseMs` are over. Organizations share the places equally,
     * however much waits for one of them. However much waits of what asks the channel (`files`: those, and news about templates), it is in no
     * other item's way, nor the other way round.
     */
    readonly claim: (
      now: number,
      leaseMs: number,
      places: { readonly items: Places; readonly files: Places }
    ) => Effect.Effect<ReadonlyArray<InboxItem>>
    /** Does `work` and acknowledges the item, in one transaction for whatever of it is in this database. */
    readonly settle: <A, E>(item: InboxItem, work: Effect.Effect<A, E>, now: number) => Effect.Effect<A, E>
    /** Acknowledges the item and stores what is to be worked on next because of it; neither when another claim followed, or it went with its contact. */
    readonly settleInto: (item: InboxItem, next: ReadonlyArray<NewInboxItem>, now: number) => Effect.Effect<void>
    /** Due again at `at`, which holds up its partition. */
    readonly postpone: (item: InboxItem, at: number, error: string) => Effect.Effect<void>
    /** Kept for an operator; its partition goes on. */
    readonly giveUp: (item: InboxItem, error: string, now: number) => Effect.Effect<void>
    /** Over all organizations. */
    readonly count: Effect.Effect<{ readonly waiting: number; readonly failed: number }>
    /** Newest first, at most 100. */
    readonly failed: (organizationId: string) => Effect.Effect<ReadonlyArray<FailedInboxItem>>
    /** Those that were given up are tried again; gives how many. */
    readonly retryFailed: (organizationId: string, now: number) => Effect.Effect<number>
    /** Forgets, a few at a time, what was settled before `doneBefore` or given up before `failedBefore`; gives how many. */
    readonly expire: (doneBefore: number, failedBefore: number, most: number) => Effect.Effect<number>
  }
>()("parley/domain/ChannelInbox") {}
