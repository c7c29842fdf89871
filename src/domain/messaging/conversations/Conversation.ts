/** A thread with one contact on one channel. Its newest unresolved one is reused; a resolved one is reopened when the contact writes. */
import { Context, type Effect, Schema } from "effect"
import { isoTime } from "../../basics/IsoTime.ts"
import type { Listed, Part } from "../../basics/Listing.ts"
import { Channel } from "../../people/contacts/Channel.ts"
import { CallRecord, Utterance } from "../../voice/calls/records/CallRecord.ts"
import type { ConversationFence, LostConversation } from "./ConversationFence.ts"
import { ConversationStatus } from "./ConversationStatus.ts"
import { Message } from "./Message.ts"

/** While open, free text reaches the contact; afterwards the messaging channel takes only templates. */
export const ReplyWindow = Schema.Struct({ open: Schema.Boolean, expiresAt: Schema.NullOr(Schema.String) })
export type ReplyWindow = typeof ReplyWindow.Type

const replyWindowMs = 24 * 3_600_000

/** Null for channels without such a window. Times are Unix milliseconds; `lastInboundAt` is null when the contact never wrote. */
export const replyWindow = (channel: Channel, lastInboundAt: number | null, now: number): ReplyWindow | null => {
  if (channel !== "messaging") return null
  if (lastInboundAt === null) return { open: false, expiresAt: null }
  const expires = lastInboundAt + replyWindowMs
  return { open: now < expires, expiresAt: isoTime(expires) }
}

/** By when it is to be answered and resolved, and when that was missed; null: nothing is due, or was missed. */
export const ConversationSla = Schema.Struct({
  firstResponseDueAt: Schema.NullOr(Schema.String),
  resolutionDueAt: Schema.NullOr(Schema.String),
  firstResponseBreachedAt: Schema.NullOr(Schema.String),
  resolutionBreachedAt: Schema.NullOr(Schema.String)
})

/** Of a conversation in which nobody waits for an answer, as those of calls. */
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
  /** Id of a person (`usr_…`) or an AI agent (`agt_…`). */
  assignee: Schema.NullOr(Schema.String),
  contact: Schema.Struct({
    id: Schema.String,
    name: Schema.NullOr(Schema.String),
    phone: Schema.NullOr(Schema.String)
  }),
  /** Messages of the contact that nobody has read yet. */
  unreadCount: Schema.Int,
  /** Content of it was flagged by moderation. */
  flagged: Schema.Boolean,
  window: Schema.NullOr(ReplyWindow),
  sla: ConversationSla,
  lastMessage: Schema.NullOr(Message),
  /** The newest message or call. */
  lastActivityAt: Schema.String,
  createdAt: Schema.String,
  updatedAt: Schema.String
}).annotate({ identifier: "Conversation" })
export type Conversation = typeof Conversation.Type

/** A call of a voice conversation, with what was said in it. */
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
  /** At most the first 200; `GET /api/calls/{id}` has them all. */
  utterances: Schema.Array(Utterance)
})
export type CallItem = typeof CallItem.Type

/** Messages and calls newest first, what was said in a call in its order. */
export const ConversationDetail = Schema.Struct({
  ...Conversation.fields,
  messages: Schema.Array(Message),
  calls: Schema.Array(CallItem)
})
export type ConversationDetail = typeof ConversationDetail.Type

/** How much of a conversation is shown with it. */
export const shownOfConversation = { calls: 10, utterancesPerCall: 200 }

/** What somebody asks for; see `ConversationStatus.ts`. */
export const ConversationChanges = Schema.Struct({
  status: Schema.optionalKey(ConversationStatus),
  /** Id of a person (`usr_…`) or an AI agent (`agt_…`); null gives it up. */
  assignee: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Nothing is unread any more. */
  read: Schema.optionalKey(Schema.Boolean)
})
export type ConversationChanges = typeof ConversationChanges.Type

/** 400: the changes contradict each other. */
export class ImpossibleChange extends Schema.TaggedError<ImpossibleChange>()("ImpossibleChange", {
  message: Schema.String
}) {}
/** 404: nobody of this organization has this id. */
export class NoSuchAssignee extends Schema.TaggedError<NoSuchAssignee>()("NoSuchAssignee", { id: Schema.String }) {}

export class Conversations extends Context.Service<
  Conversations,
  {
    /** The latest activity first. `now`, Unix milliseconds, decides whether windows are open. */
    readonly list: (
      organizationId: string,
      filter: { readonly status?: ConversationStatus },
      part: Part,
      now: number
    ) => Effect.Effect<Listed<Conversation>>
    /** With its `messages` newest messages. */
    readonly find: (
      organizationId: string,
      conversationId: string,
      messages: number,
      now: number
    ) => Effect.Effect<ConversationDetail | undefined>
    /**
     * `undefined` when there is no such conversation. One writer at a time, so that each change starts from the state it was decided on; a
     * command that was carried out before changes nothing again. To be called by the conversation's actor alone: everybody else asks
     * `ConversationCommands`.
     */
    readonly change: (
      organizationId: string,
      conversationId: string,
      changes: ConversationChanges,
      now: number,
      command?: { readonly id: string; readonly fence: ConversationFence }
    ) => Effect.Effect<Conversation | undefined, ImpossibleChange | NoSuchAssignee | LostConversation>
    /** Notes which due times have passed; an event tells of each, once. By the actor alone. */
    readonly checkSla: (
      organizationId: string,
      conversationId: string,
      fence?: ConversationFence
    ) => Effect.Effect<void, LostConversation>
    /** Of all organizations: those with a due time that has passed at `now`, the longest due first. */
    readonly overdue: (
      now: number,
      most: number
    ) => Effect.Effect<ReadonlyArray<{ readonly organizationId: string; readonly conversationId: string }>>
    /** The contact's newest unresolved conversation on this channel, or a new OPEN one; gives its id. */
    readonly open: (organizationId: string, contactId: string, channel: Channel) => Effect.Effect<string>
    /** The conversation a contact writes in: as `open`, but a resolved one, which the message reopens, before a new one. */
    readonly answering: (organizationId: string, contactId: string, channel: Channel) => Effect.Effect<string>
  }
>()("parley/domain/Conversations") {}
