/** Messages as their channel names them, and the files of those that contacts sent, which come after them. */
import { Context, type Effect } from "effect"

export class ChannelMessages extends Context.Service<
  ChannelMessages,
  {
    /** Our id of the message that the channel names so. */
    readonly idOf: (organizationId: string, channelMessageId: string) => Effect.Effect<string | undefined>
    /**
     * The file of an inbound message is here: its content has `mediaId` from now on. Told as `message.updated`. False when there is no such message
     * any more. Unix milliseconds.
     */
    readonly attach: (organizationId: string, messageId: string, mediaId: string, now: number) => Effect.Effect<boolean>
    /** The file will not come: its content has `mediaError`, a sentence. Told as `message.updated`. */
    readonly missing: (
      organizationId: string,
      messageId: string,
      mediaError: string,
      now: number
    ) => Effect.Effect<void>
  }
>()("parley/domain/ChannelMessages") {}
