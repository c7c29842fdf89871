/**
 * A conversation: a thread with one contact on one channel. A new message uses the contact's newest unresolved conversation; an inbound message
 * reopens a resolved one.
 */
import { Context, type Effect, Schema } from "effect"
import { exampleIds, exampleOf } from "../../basics/Examples.ts"
import { isoTime } from "../../basics/IsoTime.ts"
import type { Listed, Part } from "../../basics/Listing.ts"
import { Channel } from "../../people/contacts/Channel.ts"
import { CallRecord, Utterance } from "../../voice/calls/records/CallRecord.ts"
import type { ConversationFence, LostConversation } from "./ConversationFence.ts"
import { ConversationStatus } from "./ConversationStatus.ts"
import { Message } from "./Message.ts"

/** The messaging channel accepts free text only while the window is open; afterwards it accepts only templates. */
export const ReplyWindow = Schema.Struct({ open: Schema.Boolean, expiresAt: Schema.NullOr(Schema.String) })
export type ReplyWindow = typeof ReplyWindow.Type

const replyWindowMs = 24 * 3_600_000

/** The reply window; null for channels without one. Times are Unix milliseconds; `lastInboundAt` is null when the contact never wrote. */
export const replyWindow = (channel: Channel, lastInboundAt: number | null, now: number): ReplyWindow | null => {
  if (channel !== "messaging") return null
  if (lastInboundAt === null) return { open: false, expiresAt: null }
  const expires = lastInboundAt + replyWindowMs
  return { open: now < expires, expiresAt: isoTime(expires) }
}

/** When the first response and the resolution are due, and when they were missed; null: nothing is due, or nothing was missed. */
export const ConversationSla = Schema.Struct({
  firstResponseDueAt: Schema.NullOr(Schema.String),
  resolutionDueAt: Schema.NullOr(Schema.String),
  firstResponseBreachedAt: Schema.NullOr(Schema.String),
  resolutionBreachedAt: Schema.NullOr(Schema.String)
})

/** The SLA of a conversation in which nobody waits for an answer, such as one of calls. */
export const noSla: typeof ConversationSla.Type = {
  firstResponseDueAt: null,
  resolutionDueAt: null,
  firstResponseBreachedAt: null,
  resolutionBreachedAt: null
}

export const Conversation = Schema.Struct({
  id: Schema.String,
  organizationId: Schema.String,
  channel: Channel,
  status: ConversationStatus,
  /** Id of a person (`usr_…`), a text agent (`bot_…`) or a voice agent (`agt_…`). */
  assignee: Schema.NullOr(Schema.String),
  /** Words of the organization's own by which it finds conversations. */
  labels: Schema.Array(Schema.String),
  contact: Schema.Struct({
    id: Schema.String,
    name: Schema.NullOr(Schema.String),
    phone: Schema.NullOr(Schema.String)
  }),
  /** Until then nobody needs to look at it; null: not snoozed. The contact's next message ends it, and so does resolving. */
  snoozedUntil: Schema.NullOr(Schema.String),
  /** The number of the contact's messages that nobody has read yet. */
  unreadCount: Schema.Int,
  /** Whether moderation flagged some of its content. */
  flagged: Schema.Boolean,
  window: Schema.NullOr(ReplyWindow),
  sla: ConversationSla,
  lastMessage: Schema.NullOr(Message),
  /** When the newest message or call came. */
  lastActivityAt: Schema.String,
  createdAt: Schema.String,
  updatedAt: Schema.String
}).annotate({
  identifier: "Conversation",
  examples: [
    {
      id: exampleIds.conversation,
      organizationId: exampleIds.organization,
      channel: "messaging",
      status: "ASSIGNED",
      assignee: exampleIds.colleague,
      labels: ["order"],
      contact: { id: exampleIds.contact, name: "Asha Rao", phone: "+14155550123" },
      snoozedUntil: null,
      unreadCount: 1,
      flagged: false,
      window: { open: true, expiresAt: "2026-11-22T09:30:00.000Z" },
      sla: {
        firstResponseDueAt: "2026-11-21T10:00:00.000Z",
        resolutionDueAt: "2026-11-21T17:30:00.000Z",
        firstResponseBreachedAt: null,
        resolutionBreachedAt: null
      },
      lastMessage: exampleOf(Message),
      lastActivityAt: "2026-11-21T09:30:00.000Z",
      createdAt: "2026-11-21T09:30:00.000Z",
      updatedAt: "2026-11-21T09:31:00.000Z"
    }
  ]
})
export type Conversation = typeof Conversation.Type

/** A call of a voice conversation, with its transcript. */
export const CallItem = Schema.Struct({
  ...Schema.Struct({
    id: CallRecord.fields.id,
    agentId: CallRecord.fields.agentId,
    direction: CallRecord.fields.direction,
    status: CallRecord.fields.status,
    endReason: CallRecord.fields.endReason,
    startedAt: CallRecord.fields.startedAt,
    endedAt: CallRecord.fields.endedAt,
    durationSeconds: CallRecord.fields.durationSeconds,
    createdAt: CallRecord.fields.createdAt
  }).fields,
  /** At most the first 200; `GET /api/calls/{id}` has all. */
  utterances: Schema.Array(Utterance)
})
export type CallItem = typeof CallItem.Type

/** A conversation with its messages and calls, newest first; the utterances of a call are in the order they were spoken. */
export const ConversationDetail = Schema.Struct({
  ...Conversation.fields,
  messages: Schema.Array(Message),
  calls: Schema.Array(CallItem)
}).annotate({
  title: "ConversationDetail",
  examples: [{ ...exampleOf(Conversation), messages: [exampleOf(Message)], calls: [] }]
})
export type ConversationDetail = typeof ConversationDetail.Type

/** The most calls of a conversation, and the most utterances of a call, that are shown with it. */
export const shownOfConversation = { calls: 10, utterancesPerCall: 200 }

/** The changes in a request; `ConversationStatus.ts` has their rules. */
export const ConversationChanges = Schema.Struct({
  status: Schema.optionalKey(ConversationStatus),
  /** Id of a person (`usr_…`), a text agent (`bot_…`) or a voice agent (`agt_…`); null removes the assignee. */
  assignee: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** All labels; those that are not named are removed. */
  labels: Schema.optionalKey(Schema.Array(Schema.String)),
  /** ISO 8601; null ends it. */
  snoozedUntil: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Marks all messages as read; with `false` the conversation as unread. */
  read: Schema.optionalKey(Schema.Boolean),
  /** Only when no other person has it: of two people who take it at the same moment, one gets it. */
  ifFree: Schema.optionalKey(Schema.Boolean)
})
export type ConversationChanges = typeof ConversationChanges.Type

/** 400: the changes contradict each other. */
export class ImpossibleChange extends Schema.TaggedError<ImpossibleChange>()("ImpossibleChange", {
  message: Schema.String
}) {}
/** 404: no person or AI agent of this organization has this id. */
export class NoSuchAssignee extends Schema.TaggedError<NoSuchAssignee>()("NoSuchAssignee", { id: Schema.String }) {}

/** Conditions on conversations. An absent field is no condition. */
export interface ConversationFilter {
  readonly status?: ConversationStatus | undefined
  readonly contactId?: string | undefined
  /** Id of a person or an AI agent; `none`: those without an assignee. */
  readonly assignee?: string | undefined
  readonly channel?: Channel | undefined
  /** One whole label. */
  readonly label?: string | undefined
  /** `overdue`: its next due time has passed; `soon`: it comes within `soonMs`. */
  readonly due?: "overdue" | "soon" | undefined
  /** Whether it is snoozed at this moment. */
  readonly snoozed?: boolean | undefined
  /** Whether it is done: with `false` those that are OPEN or ASSIGNED. */
  readonly resolved?: boolean | undefined
  /** Only those with messages that nobody has read. */
  readonly unread?: true | undefined
  /** A part of the contact's name or number. */
  readonly search?: string | undefined
}

/** How long before its due time a conversation is due soon. */
export const soonMs = 3_600_000

/** What is counted at most when a list has conditions, and of each view of the inbox. */
export const mostConversationsCounted = 10_000

/** How many conversations each view of the inbox has. All but `resolved` and `snoozed` leave out those that are snoozed. */
export const InboxCounts = Schema.Struct({
  open: Schema.Int,
  assigned: Schema.Int,
  /** Those assigned to the person who asks. */
  mine: Schema.Int,
  unread: Schema.Int,
  overdue: Schema.Int,
  dueSoon: Schema.Int,
  snoozed: Schema.Int,
  resolved: Schema.Int
}).annotate({
  title: "InboxCounts",
  examples: [{ open: 12, assigned: 7, mine: 3, unread: 9, overdue: 1, dueSoon: 2, snoozed: 4, resolved: 1_204 }]
})
export type InboxCounts = typeof InboxCounts.Type

/** Port of the stored conversations. */
export class Conversations extends Context.Service<
  Conversations,
  {
    /** The conversations with the latest activity first. `now` (Unix milliseconds) decides whether reply windows are open. */
    readonly list: (
      organizationId: string,
      filter: ConversationFilter,
      part: Part,
      now: number
    ) => Effect.Effect<Listed<Conversation>>
    /** How many conversations each view has for this person (`undefined`: nobody). `now`: Unix milliseconds. */
    readonly counts: (organizationId: string, userId: string | undefined, now: number) => Effect.Effect<InboxCounts>
    readonly exists: (organizationId: string, conversationId: string) => Effect.Effect<boolean>
    /** The conversation with its newest messages, at most `messages`. `now`: Unix milliseconds. */
    readonly find: (
      organizationId: string,
      conversationId: string,
      messages: number,
      now: number
    ) => Effect.Effect<ConversationDetail | undefined>
    /**
     * Applies changes; `undefined` when there is no such conversation. One writer works at a time, so that the state on which a change was decided
     * cannot change meanwhile. A command that was carried out before changes nothing. Only the conversation's actor calls this; all others use
     * `ConversationCommands`.
     */
    readonly change: (
      organizationId: string,
      conversationId: string,
      changes: ConversationChanges,
      now: number,
      command?: { readonly id: string; readonly fence: ConversationFence }
    ) => Effect.Effect<Conversation | undefined, ImpossibleChange | NoSuchAssignee | LostConversation>
    /** Records the due times that have passed, each with one event. Only the conversation's actor calls this. */
    readonly checkSla: (
      organizationId: string,
      conversationId: string,
      fence?: ConversationFence
    ) => Effect.Effect<void, LostConversation>
    /** The conversations of all organizations with a due time that has passed at `now` (Unix milliseconds), the longest due first. */
    readonly overdue: (
      now: number,
      most: number
    ) => Effect.Effect<ReadonlyArray<{ readonly organizationId: string; readonly conversationId: string }>>
    /** The contact's newest unresolved conversation on this channel, or a new OPEN one; gives its id. */
    readonly open: (organizationId: string, contactId: string, channel: Channel) => Effect.Effect<string>
    /** The conversation for an inbound message: like `open`, but it prefers a resolved conversation, which the message reopens, to a new one. */
    readonly answering: (organizationId: string, contactId: string, channel: Channel) => Effect.Effect<string>
  }
>()("parley/domain/Conversations") {}
