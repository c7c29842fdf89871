/**
 * The inbox stores what the messaging channel's webhooks report, so that we can answer a webhook at once and process it later. Each item is
 * processed once, on any node, in the order of its partition. An item that fails again and again is kept with its error and blocks no other item.
 */
import { Context, type Effect, Schema } from "effect"

/** `media`: a message's file, to be fetched from the channel. */
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

/** Whether processing an item of this kind asks the channel for something, which may take minutes. Claims count such items by themselves. */
export const asksChannel = (kind: InboxItemKind): boolean => kind === "media" || kind === "template"

/** One thing that the channel reported. */
export interface NewInboxItem {
  readonly kind: InboxItemKind
  /** Items of one partition (those of one person, or of one message) are processed in order. */
  readonly partition: string
  /** A second report of the same thing has the same key. */
  readonly deduplicationKey: string
  /** As the channel gave it. */
  readonly payload: Schema.Json
}

export interface InboxItem extends NewInboxItem {
  readonly organizationId: string
  /** `inb_…` */
  readonly id: string
  /** The number of earlier attempts. */
  readonly attempts: number
  /** Unix milliseconds. */
  readonly receivedAt: number
}

/** The places in which a process works on items, one item each. */
export interface Places {
  readonly free: number
  /** The most places for one organization. */
  readonly perOrganization: number
  /** The organization of each item in work; an organization appears once for each of its items. */
  readonly underWay: ReadonlyArray<string>
}

/** An item that was given up, as an operator sees it. */
export interface FailedInboxItem extends Pick<InboxItem, "id" | "kind" | "attempts"> {
  readonly error: string
  readonly receivedAt: string
}

/** The organization has as much in its inbox as it may. Nothing of what was to be stored is stored; the channel sends it again later. */
export class InboxFull extends Schema.TaggedError<InboxFull>()("InboxFull", { organizationId: Schema.String }) {}

/** Port of the stored inbox. Times are Unix milliseconds. */
export class ChannelInbox extends Context.Service<
  ChannelInbox,
  {
    /** Stores the items that are new; gives how many. `now`: Unix milliseconds. All of them or, with `InboxFull`, none. */
    readonly store: (
      organizationId: string,
      items: ReadonlyArray<NewInboxItem>,
      now: number
    ) => Effect.Effect<number, InboxFull>
    /**
     * Claims due items for `leaseMs`, only the first of each partition. Organizations share the places equally, however many items wait for one of
     * them. Items that ask the channel (`asksChannel`) have the places `files`, so that they and all other items do not delay each other.
     */
    readonly claim: (
      now: number,
      leaseMs: number,
      places: { readonly items: Places; readonly files: Places }
    ) => Effect.Effect<ReadonlyArray<InboxItem>>
    /** Prolongs these claims until `until`. A claim that is over, or that a later one followed, stays so. */
    readonly renew: (items: ReadonlyArray<InboxItem>, until: number) => Effect.Effect<void>
    /**
     * Does `work` and acknowledges the item. One transaction holds both, as far as the work is in this database. When a later claim has the item,
     * this work is undone and `undefined` is given.
     */
    readonly settle: <A, E>(item: InboxItem, work: Effect.Effect<A, E>, now: number) => Effect.Effect<A | undefined, E>
    /** Acknowledges the item and stores the items that follow from it. Does neither when a later claim has the item or its contact was erased. */
    readonly settleInto: (item: InboxItem, next: ReadonlyArray<NewInboxItem>, now: number) => Effect.Effect<void>
    /** Makes the item due again at `at`. Its partition waits until then. */
    readonly postpone: (item: InboxItem, at: number, error: string) => Effect.Effect<void>
    /** Keeps the item for an operator. Its partition goes on. */
    readonly giveUp: (item: InboxItem, error: string, now: number) => Effect.Effect<void>
    /** Counts the items of all organizations. */
    readonly count: Effect.Effect<{ readonly waiting: number; readonly failed: number }>
    /** The items that were given up, newest first, at most 100. */
    readonly failed: (organizationId: string) => Effect.Effect<ReadonlyArray<FailedInboxItem>>
    /** Makes the items that were given up due again; gives how many. */
    readonly retryFailed: (organizationId: string, now: number) => Effect.Effect<number>
    /** Deletes at most `most` items that were settled before `doneBefore` or given up before `failedBefore`; gives how many. */
    readonly expire: (doneBefore: number, failedBefore: number, most: number) => Effect.Effect<number>
  }
>()("parley/domain/ChannelInbox") {}
