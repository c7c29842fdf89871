/** Port of the messaging channel that an organization has connected. The channel delivers messages to people's telephones. */
import { Context, type Effect, Schema } from "effect"
import type { ThreadPlace } from "../conversations/ChatThread.ts"
import type { Message, sendableTypes } from "../conversations/Message.ts"

export type SendableType = (typeof sendableTypes)[number]

/** The recipient of a message: a number in E.164, the channel's own id of a person, or a thread of a team chat. */
export type ChannelRecipient =
  | { readonly phone: string }
  | { readonly userId: string }
  | { readonly thread: ThreadPlace }

/** A stored message, ready to be handed to the channel. */
export interface OutgoingMessage {
  readonly organizationId: string
  /** Our id (`msg_…`). The channel returns it with every report, so that a report finds its message even when the answer to our request was lost. */
  readonly messageId: string
  readonly to: ChannelRecipient
  readonly type: SendableType
  /** The validated and stored fields of its type, as the specification's table lists them, and nothing else. */
  readonly content: Message["content"]
  /** The channel's own id of the message that this one answers. */
  readonly replyTo?: string
}

/** The channel refused the request, and will refuse it again. */
export class ChannelRefused extends Schema.TaggedError<ChannelRefused>()("ChannelRefused", {
  /** The channel's code, when it gave one. */
  code: Schema.NullOr(Schema.String),
  /** For people: what is wrong and what can be done. */
  reason: Schema.String
}) {}

/** The channel certainly did not accept the request, and may accept it later. */
export class ChannelUnavailable extends Schema.TaggedError<ChannelUnavailable>()("ChannelUnavailable", {
  reason: Schema.String,
  /** The wait that the channel asks for; milliseconds. */
  retryAfterMs: Schema.optionalKey(Schema.Number)
}) {}

/** The request was sent and its answer was lost: the message may be on its way or not. */
export class ChannelUnclear extends Schema.TaggedError<ChannelUnclear>()("ChannelUnclear", {
  reason: Schema.String
}) {}

/** One template as the channel lists it. */
export interface ChannelTemplate {
  readonly channelTemplateId: string
  readonly name: string
  /** The channel's spelling: `en_US`. */
  readonly language: string
  /** `APPROVED`, `PENDING`, `REJECTED`, … */
  readonly status: string
  readonly category: string
  /** Header, body, footer and buttons, as the channel gives them. */
  readonly components: ReadonlyArray<Schema.Json>
  readonly rejectedReason: string | null
}

export class MessagingChannel extends Context.Service<
  MessagingChannel,
  {
    /** Hands a message to the channel; gives the channel's own id. Fails with `ChannelRefused` when the organization has no connection. */
    readonly send: (
      message: OutgoingMessage
    ) => Effect.Effect<{ readonly channelMessageId: string }, ChannelRefused | ChannelUnavailable | ChannelUnclear>
    /** All templates of the organization's account. */
    readonly templates: (
      organizationId: string
    ) => Effect.Effect<ReadonlyArray<ChannelTemplate>, ChannelRefused | ChannelUnavailable>
  }
>()("parley/domain/MessagingChannel") {}
