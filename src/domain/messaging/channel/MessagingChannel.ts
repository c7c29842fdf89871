/** The messaging channel an organization has connected: what hands its messages to people's telephones. */
import { Context, type Effect, Schema } from "effect"
import type { Message, sendableTypes } from "../conversations/Message.ts"

export type SendableType = (typeof sendableTypes)[number]

/** Whom a message goes to: a number in E.164, or the id the channel alone knows a person by. */
export type ChannelRecipient = { readonly phone: string } | { readonly userId: string }

/** A stored message, ready to be handed over. */
export interface OutgoingMessage {
  readonly organizationId: string
  /** Ours (`msg_…`). The channel gives it back with every report, so that a report finds its message even when our own request was lost. */
  readonly messageId: string
  readonly to: ChannelRecipient
  readonly type: SendableType
  /** As it was validated and stored: the fields of its type in the specification's table, and nothing else. */
  readonly content: Message["content"]
  /** The channel's own id of the message it answers. */
  readonly replyTo?: string
}

/** The channel will not have it: not now, not later. */
export class ChannelRefused extends Schema.TaggedError<ChannelRefused>()("ChannelRefused", {
  /** The channel's code, when it gave one. */
  code: Schema.NullOr(Schema.String),
  /** For people: what is wrong and what can be done. */
  reason: Schema.String
}) {}

/** The channel certainly did not take it, and may take it later. */
export class ChannelUnavailable extends Schema.TaggedError<ChannelUnavailable>()("ChannelUnavailable", {
  reason: Schema.String,
  /** Asked for by the channel; milliseconds. */
  retryAfterMs: Schema.optionalKey(Schema.Number)
}) {}

/** The request was sent and its answer lost: nobody here knows whether the message is on its way. */
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
    /** Hands a message over; gives the channel's own id of it. Looks up the organization's connection itself; without one it refuses. */
    readonly send: (
      message: OutgoingMessage
    ) => Effect.Effect<{ readonly channelMessageId: string }, ChannelRefused | ChannelUnavailable | ChannelUnclear>
    /** All templates of the organization's account. */
    readonly templates: (
      organizationId: string
    ) => Effect.Effect<ReadonlyArray<ChannelTemplate>, ChannelRefused | ChannelUnavailable>
  }
>()("parley/domain/MessagingChannel") {}
