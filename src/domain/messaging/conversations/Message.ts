/**
 * What was written in a conversation, either way. An outgoing message climbs a ladder: queued → sent → delivered → read, or fails. Its channel
 * reports late, twice and out of order; the ladder never goes back.
 */
import { Context, type Effect, Schema } from "effect"
import { JsonRecord } from "../../basics/Json.ts"
import type { Listed, Part } from "../../basics/Listing.ts"
import { Channel } from "../../people/contacts/Channel.ts"
import type { ConversationFence, LostConversation } from "./ConversationFence.ts"

/** The ten kinds that can be sent, and what contacts send beyond them; `unsupported` is what a channel names and we do not know. */
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

/** `received` is the one status of an inbound message. */
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
  /** The message it answers: ours, and as the channel names it. Null when it answers none. */
  replyTo: Schema.NullOr(
    Schema.Struct({ messageId: Schema.NullOr(Schema.String), channelMessageId: Schema.NullOr(Schema.String) })
  ),
  /** The channel's own id; null until the channel has taken it. */
  channelMessageId: Schema.NullOr(Schema.String),
  /** Who sent it: an API key (`key_…`), a person (`usr_…`), an agent (`agt_…`), null for the contact. */
  sentBy: Schema.NullOr(Schema.String),
  status: MessageStatus,
  sentAt: Schema.NullOr(Schema.String),
  deliveredAt: Schema.NullOr(Schema.String),
  readAt: Schema.NullOr(Schema.String),
  failedAt: Schema.NullOr(Schema.String),
  /** Why it failed: a sentence for people, and the channel's code. */
  failure: Schema.NullOr(Schema.Struct({ code: Schema.NullOr(Schema.String), reason: Schema.String })),
  /** When it was received from the contact, or accepted for sending. */
  createdAt: Schema.String
}).annotate({ identifier: "Message" })
export type Message = typeof Message.Type

/** One report of the channel about a message; `at` is ISO 8601. */
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

/** The earlier of two reports of one step is when it happened. */
const earlier = (known: string | null, at: string): string => (known === null || at < known ? at : known)

/**
 * The ladder after a report. A step that was passed over gets its time when its report comes late. What was delivered did not fail, and
 * what failed stays failed; nothing is reported of an inbound message.
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
  /** Made by whoever wants the message, when it may be asked for twice: a second message of the same id is the first one. */
  id: Schema.optionalKey(Schema.String),
  organizationId: Schema.String,
  conversationId: Schema.String,
  direction: Message.fields.direction,
  type: MessageType,
  content: Message.fields.content,
  replyTo: Schema.optionalKey(Message.fields.replyTo),
  channelMessageId: Schema.optionalKey(Schema.String),
  sentBy: Schema.optionalKey(Schema.String)
})
export type NewMessage = typeof NewMessage.Type

/** The message that is spoken of: by the channel's id, and by ours when it gives that back. The first that is known counts. */
export type ReportedMessage =
  | { readonly channelMessageId: string; readonly messageId?: string }
  | { readonly messageId: string; readonly channelMessageId?: undefined }

/** A conversation that is not there cannot be written in. */
export class NoSuchConversation extends Schema.TaggedError<NoSuchConversation>()("NoSuchConversation", {
  conversationId: Schema.String
}) {}

/**
 * A message of a broadcast that was not stored: the broadcast does not run, the contact does not want it, or one of them is just being changed.
 * Later it may be.
 */
export class MessageWithheld extends Schema.TaggedError<MessageWithheld>()("MessageWithheld", {
  messageId: Schema.String
}) {}

export class Messages extends Context.Service<
  Messages,
  {
    /** Of all conversations, newest first. */
    readonly list: (organizationId: string, part: Part) => Effect.Effect<Listed<Message>>
    readonly find: (organizationId: string, messageId: string) => Effect.Effect<Message | undefined>
    /**
     * Stores a message with what it does to its conversation: an inbound one is unread, opens the window and reopens a resolved conversation.
     * An `id` or a `channelMessageId` that is known gives the first message unchanged: channels and commands repeat themselves. `now`: Unix
     * milliseconds. To be called by the conversation's actor alone: everybody else asks `ConversationCommands`.
     */
    readonly add: (
      message: NewMessage,
      now: number,
      fence?: ConversationFence
    ) => Effect.Effect<Message, NoSuchConversation | LostConversation | MessageWithheld>
    /**
     * `add` for an outgoing message that changes nothing else of its conversation: one statement, which makes its writer the owner. `undefined`:
     * nothing was stored, and the conversation's actor is to be asked (there are due times to be moved, the message is known, …).
     */
    readonly queue: (message: NewMessage, now: number) => Effect.Effect<Message | undefined>
    /**
     * Applies a report of the channel; `undefined` for a message that is not known. A message that was still to be handed over, or whose
     * handing over was cut off, is with the channel from now on: it is not handed over again.
     */
    readonly report: (
      organizationId: string,
      which: ReportedMessage,
      report: StatusReport
    ) => Effect.Effect<Message | undefined>
  }
>()("parley/domain/Messages") {}
