/** Messages by their channel's own ids, and the files of contacts' messages, which are fetched after the message was stored. */
import { Context, type Effect } from "effect"
import type { TokenUsage } from "../../ai/providers/Reasoning.ts"
import type { Message } from "../conversations/Message.ts"

/** What became of a voice message: its words, or a sentence that says why there are none. */
export type VoiceNoteNews = { readonly transcript: string } | { readonly transcriptError: string }

export class ChannelMessages extends Context.Service<
  ChannelMessages,
  {
    /** Our id of the message with this channel id. */
    readonly idOf: (organizationId: string, channelMessageId: string) => Effect.Effect<string | undefined>
    /**
     * Puts `mediaId` of a fetched file into the content of its inbound message, with the event `message.updated`. False when the message does not
     * exist any more. `now`: Unix milliseconds.
     */
    readonly attach: (organizationId: string, messageId: string, mediaId: string, now: number) => Effect.Effect<boolean>
    /**
     * What a message of a contact is after its author has changed or deleted it, with the event `message.updated`. A change that is older than the one that is
     * stored (`editedAt`) changes nothing, and neither does one of a deleted message (`deleted`).
     */
    readonly edit: (
      organizationId: string,
      messageId: string,
      content: Message["content"],
      now: number
    ) => Effect.Effect<void>
    /** Puts `mediaError`, a sentence, into the content of a message whose file cannot be fetched, with the event `message.updated`. */
    readonly missing: (
      organizationId: string,
      messageId: string,
      mediaError: string,
      now: number
    ) => Effect.Effect<void>
    /**
     * Puts the words of a voice message into its content, with the event `message.updated`, counts what they cost, and lets the text agent go on that waits for
     * them. Gives the message; `undefined` when it does not exist any more. The first news counts.
     */
    readonly transcribed: (
      organizationId: string,
      messageId: string,
      news: VoiceNoteNews,
      usage: ReadonlyArray<TokenUsage>,
      now: number
    ) => Effect.Effect<Message | undefined>
  }
>()("parley/domain/ChannelMessages") {}
