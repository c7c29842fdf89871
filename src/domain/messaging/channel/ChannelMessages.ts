/** Messages by their channel's own ids, and the files of contacts' messages, which are fetched after the message was stored. */
import { Context, type Effect } from "effect"

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
    /** Puts `mediaError`, a sentence, into the content of a message whose file cannot be fetched, with the event `message.updated`. */
    readonly missing: (
      organizationId: string,
      messageId: string,
      mediaError: string,
      now: number
    ) => Effect.Effect<void>
  }
>()("parley/domain/ChannelMessages") {}
