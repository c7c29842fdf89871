/**
 * A message in a conversation, inbound or outbound. An outbound message goes through the statuses queued → sent → delivered → read, or fails. The
 * channel may report late, twice or out of order; the status never goes back.
 */
import { Context, type Effect, Schema } from "effect"
import { AnswerSource } from "../../ai/tools/ToolRunner.ts"
import { exampleIds } from "../../basics/Examples.ts"
import { JsonRecord } from "../../basics/Json.ts"
import type { Listed, Part } from "../../basics/Listing.ts"
import { Channel } from "../../people/contacts/Channel.ts"
import type { ConversationFence, LostConversation } from "./ConversationFence.ts"

/** The ten types that we can send. Contacts send further types; `unsupported` stands for a type of the channel that we do not know. */
export const sendableTypes = [
  "text",
  "image",
  "document",
  "audio",
  "video",
  "template",
  "interactive",
  "location",
  "contact",
  "reaction"
] as const
export const MessageType = Schema.Literals([...sendableTypes, "sticker", "button", "order", "system", "unsupported"])
export type MessageType = typeof MessageType.Type

/** `received` is the only status of an inbound message. */
export const MessageStatus = Schema.Literals(["received", "queued", "sent", "delivered", "read", "failed"])
export type MessageStatus = typeof MessageStatus.Type

export const Message = Schema.Struct({
  id: Schema.String,
  organizationId: Schema.String,
  conversationId: Schema.String,
  contactId: Schema.String,
  channel: Channel,
  direction: Schema.Literals(["inbound", "outbound"]),
  type: MessageType,
  /** The fields of its type, as they were sent or as the channel gave them. */
  content: JsonRecord,
  /** The message that it answers, by our id and by the channel's id. Null when it answers none. */
  replyTo: Schema.NullOr(
    Schema.Struct({ messageId: Schema.NullOr(Schema.String), channelMessageId: Schema.NullOr(Schema.String) })
  ),
  /** The channel's own id; null until the channel has accepted the message. */
  channelMessageId: Schema.NullOr(Schema.String),
  /** Who sent it: an API key (`key_…`), a person (`usr_…`), a text agent (`bot_…`), null for the contact. */
  sentBy: Schema.NullOr(Schema.String),
  /** The sources of knowledge bases that a text agent's answer is from. They are not sent to the contact. Absent: none. */
  sources: Schema.optionalKey(Schema.Array(AnswerSource)),
  status: MessageStatus,
  sentAt: Schema.NullOr(Schema.String),
  deliveredAt: Schema.NullOr(Schema.String),
  readAt: Schema.NullOr(Schema.String),
  failedAt: Schema.NullOr(Schema.String),
  /** Why it failed: a sentence for people, and the channel's code. */
  failure: Schema.NullOr(Schema.Struct({ code: Schema.NullOr(Schema.String), reason: Schema.String })),
  /** When it was received from the contact, or accepted for sending. */
  createdAt: Schema.String
}).annotate({
  identifier: "Message",
  examples: [
    {
      id: exampleIds.message,
      organizationId: exampleIds.organization,
      conversationId: exampleIds.conversation,
      contactId: exampleIds.contact,
      channel: "messaging",
      direction: "inbound",
      type: "text",
      content: { text: "Do you have The Overstory?" },
      replyTo: null,
      channelMessageId: "wamid.HBgLMTQxNTU1NTAxMjMVAgASGBQzQTdDNTk4Nw==",
      sentBy: null,
      status: "received",
      sentAt: null,
      deliveredAt: null,
      readAt: null,
      failedAt: null,
      failure: null,
      createdAt: "2026-11-21T09:30:00.000Z"
    }
  ]
})
export type Message = typeof Message.Type

/** A report of the channel on a message; `at` is ISO 8601. */
export type StatusReport =
  | { readonly status: "sent" | "delivered" | "read"; readonly at: string }
  | { readonly status: "failed"; readonly at: string; readonly failure: NonNullable<Message["failure"]> }

export type MessageProgress = Pick<Message, "status" | "sentAt" | "deliveredAt" | "readAt" | "failedAt" | "failure">

const rank: Readonly<Record<MessageStatus, number>> = {
  received: 9,
  queued: 0,
  sent: 1,
  delivered: 2,
  read: 3,
  failed: 9
}

/** When two reports name one status, the earlier time counts. */
const earlier = (known: string | null, at: string): string => (known === null || at < known ? at : known)

/**
 * The status and times after a report. A late report of an earlier status still sets its time. A delivered message cannot fail, and a failed message
 * stays failed. A report on an inbound message changes nothing.
 */
export const reported = (before: MessageProgress, report: StatusReport): MessageProgress => {
  if (before.status === "received" || before.status === "failed") return before
  if (report.status === "failed")
    return rank[before.status] >= rank.delivered
      ? before
      : { ...before, status: "failed", failedAt: report.at, failure: report.failure }
  const step = `${report.status}At` as const
  const timed = { ...before, [step]: earlier(before[step], report.at) }
  return rank[report.status] > rank[before.status] ? { ...timed, status: report.status } : timed
}

export const NewMessage = Schema.Struct({
  /** Given by a sender that may repeat its request: a second message with the same id is not stored, and the first one is the result. */
  id: Schema.optionalKey(Schema.String),
  organizationId: Schema.String,
  conversationId: Schema.String,
  direction: Message.fields.direction,
  type: MessageType,
  content: Message.fields.content,
  replyTo: Schema.optionalKey(Message.fields.replyTo),
  channelMessageId: Schema.optionalKey(Schema.String),
  sentBy: Schema.optionalKey(Schema.String),
  sources: Message.fields.sources
})
export type NewMessage = typeof NewMessage.Type

/** The message of a report: by the channel's id, and by our id when the channel returns it. The first id that is known counts. */
export type ReportedMessage =
  | { readonly channelMessageId: string; readonly messageId?: string }
  | { readonly messageId: string; readonly channelMessageId?: undefined }

/** The conversation of a message does not exist. */
export class NoSuchConversation extends Schema.TaggedError<NoSuchConversation>()("NoSuchConversation", {
  conversationId: Schema.String
}) {}

/**
 * A broadcast's message was not stored: the broadcast does not run, the contact does not want messages, or a transaction is changing one of them.
 * The message may be stored later.
 */
export class MessageWithheld extends Schema.TaggedError<MessageWithheld>()("MessageWithheld", {
  messageId: Schema.String
}) {}

/** Conditions on messages. An absent field is no condition. */
export interface MessageFilter {
  readonly conversationId?: string | undefined
  readonly contactId?: string | undefined
  readonly status?: Message["status"] | undefined
  readonly direction?: Message["direction"] | undefined
  readonly type?: Message["type"] | undefined
  /** Made at this instant or later, and before that one, Unix milliseconds. */
  readonly since?: number | undefined
  readonly before?: number | undefined
}

/** Port of the stored messages. */
export class Messages extends Context.Service<
  Messages,
  {
    /** The messages that match the filter, newest first; without conditions those of all conversations. */
    readonly list: (organizationId: string, filter: MessageFilter, part: Part) => Effect.Effect<Listed<Message>>
    readonly find: (organizationId: string, messageId: string) => Effect.Effect<Message | undefined>
    /**
     * Stores a message together with its effect on the conversation: an inbound message is unread, opens the reply window and reopens a resolved
     * conversation. Channels and commands may repeat: a known `id` or `channelMessageId` gives the first message unchanged. `now`: Unix milliseconds.
     * Only the conversation's actor calls this; all others use `ConversationCommands`.
     */
    readonly add: (
      message: NewMessage,
      now: number,
      fence?: ConversationFence
    ) => Effect.Effect<Message, NoSuchConversation | LostConversation | MessageWithheld>
    /**
     * A faster `add` for an outbound message that changes nothing else in its conversation: one statement, which also takes the conversation's
     * ownership. `undefined`: nothing was stored, and the conversation's actor must store it (due times would change, the message is known, …).
     */
    readonly queue: (message: NewMessage, now: number) => Effect.Effect<Message | undefined>
    /**
     * Applies a report of the channel; `undefined` when the message is not known. A report shows that the channel has the message: one that waits in
     * the outbox, or whose handover was interrupted, is not handed over again.
     */
    readonly report: (
      organizationId: string,
      which: ReportedMessage,
      report: StatusReport
    ) => Effect.Effect<Message | undefined>
  }
>()("parley/domain/Messages") {}
