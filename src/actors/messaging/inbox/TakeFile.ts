/**
 * Processes an inbox item about a file that a contact sent. It fetches the file from the channel and stores it, or the message says why not. What is said in a
 * voice message is the next item.
 */
import { Effect } from "effect"
import { traced } from "../../../domain/basics/Traced.ts"
import { ChannelInbox, type InboxItem } from "../../../domain/messaging/channel/ChannelInbox.ts"
import { ChannelMedia } from "../../../domain/messaging/channel/ChannelMedia.ts"
import { ChannelMessages } from "../../../domain/messaging/channel/ChannelMessages.ts"
import { textOf } from "../../../domain/messaging/channel/cloudapi/Webhook.ts"
import { type Media, MediaFiles } from "../../../domain/messaging/media/Media.ts"
import { payloadOf, Unreadable } from "./InboxPayload.ts"
import { makeTakeVoiceNote, voiceNoteItem } from "./TakeVoiceNote.ts"

/** Takes the stores, ChannelMedia and MediaFiles once. Returns the functions that process one item. */
export const makeTakeFile = Effect.gen(function* () {
  const inbox = yield* ChannelInbox
  const media = yield* ChannelMedia
  const files = yield* MediaFiles
  const messages = yield* ChannelMessages
  const voiceNote = yield* makeTakeVoiceNote

  const fetched = (organizationId: string, channelMediaId: string, filename: string | undefined) =>
    Effect.scoped(
      Effect.flatMap(media.fetch(organizationId, channelMediaId), ({ bytes, mimeType }) =>
        files.store(organizationId, { bytes, filename, source: "channel", claimedType: mimeType })
      )
    )

  /**
   * Attaches the file to its message. When the message was deleted meanwhile, by erasure or retention, the file is deleted as well. A later claim of
   * the item (`undefined`) attaches it itself.
   */
  const keep = (item: InboxItem, messageId: string, mediaId: string, now: number) =>
    Effect.flatMap(
      inbox.settle(item, messages.attach(item.organizationId, messageId, mediaId, now), now),
      (attached) =>
        attached === false ? Effect.asVoid(files.removeUnused(item.organizationId, [mediaId])) : Effect.void
    )

  /** The file can never be fetched: the message says why. */
  const missing = (item: InboxItem, messageId: string, reason: string, now: number) =>
    inbox.settle(item, messages.missing(item.organizationId, messageId, reason, now), now)

  /** Before the file is attached: a text agent that waits for the words must find one of the two items at any time. */
  const followUp = (organizationId: string, messageId: string, { id, kind }: Media, now: number) =>
    kind === "audio" ? inbox.store(organizationId, [voiceNoteItem(messageId, id)], now) : Effect.void

  const take = traced("Inbox.file")(function* (item: InboxItem, now: number) {
    const { organizationId } = item
    const told = payloadOf(item)
    if (told.transcribe !== undefined) return yield* voiceNote.take(item)
    const [messageId, channelMediaId] = [textOf(told.messageId), textOf(told.channelMediaId)]
    if (messageId === undefined || channelMediaId === undefined)
      return yield* new Unreadable({ message: "The item names no file." })
    return yield* fetched(organizationId, channelMediaId, textOf(told.filename)).pipe(
      Effect.tap((file) => followUp(organizationId, messageId, file, now)),
      Effect.flatMap(({ id }) => keep(item, messageId, id, now)),
      Effect.catchTags({
        ChannelRefused: ({ reason }) => missing(item, messageId, `The file could not be fetched: ${reason}`, now),
        MediaRefused: ({ message }) => missing(item, messageId, `The file could not be kept: ${message}`, now)
      })
    )
  })

  /** After the last attempt: the message says so, and the item is kept for an operator. */
  const givenUp = (item: InboxItem, now: number) => {
    if (payloadOf(item).transcribe !== undefined) return voiceNote.givenUp(item)
    const messageId = textOf(payloadOf(item).messageId)
    return messageId === undefined
      ? Effect.void
      : messages.missing(item.organizationId, messageId, "The file could not be fetched from the channel.", now)
  }
  return { take, givenUp }
})
