/** Processes an inbox item about a voice message whose file is stored: its words become part of the message, or the message says why not. */
import { Clock, Effect, Stream } from "effect"
import { piecesOf } from "../../../audio/recording/Phrases.ts"
import { ModelTokens } from "../../../domain/ai/providers/ModelTokens.ts"
import { longestPiece, recordedRate } from "../../../domain/ai/providers/VoiceNoteLimits.ts"
import { RecordedSpeech, VoiceNoteReader } from "../../../domain/ai/providers/VoiceNotes.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { ChannelInbox, type InboxItem, type NewInboxItem } from "../../../domain/messaging/channel/ChannelInbox.ts"
import { ChannelMessages, type VoiceNoteNews } from "../../../domain/messaging/channel/ChannelMessages.ts"
import { textOf } from "../../../domain/messaging/channel/cloudapi/Webhook.ts"
import { ConversationCommands } from "../../../domain/messaging/conversations/ConversationCommand.ts"
import { MediaFiles } from "../../../domain/messaging/media/Media.ts"
import { makeHearOptOut } from "../../../domain/messaging/sending/HearOptOut.ts"
import { aiTokensOf, Organizations } from "../../../domain/people/organizations/Organization.ts"
import { tokensPerVoiceSecond } from "../../../domain/usage/AiUsage.ts"
import { payloadOf, Unreadable } from "./InboxPayload.ts"

/** The item that follows when the file of a voice message is stored. */
export const voiceNoteItem = (messageId: string, mediaId: string): NewInboxItem => ({
  kind: "media",
  partition: `transcript:${messageId}`,
  deduplicationKey: `transcript:${messageId}`,
  payload: { messageId, transcribe: mediaId }
})

const noWords = "No words were heard in the voice message."
const noTokens = "The organization has used its AI tokens of this month, so the voice message was not transcribed."
const gone = "The voice message is not stored any more."
const notAnswered = "The voice message could not be transcribed: speech-to-text did not answer."

/** Takes the stores and providers once. Returns the functions that process one item. */
export const makeTakeVoiceNote = Effect.gen(function* () {
  const inbox = yield* ChannelInbox
  const messages = yield* ChannelMessages
  const files = yield* MediaFiles
  const organizations = yield* Organizations
  const reader = yield* VoiceNoteReader
  const speech = yield* RecordedSpeech
  const tokens = yield* ModelTokens
  const commands = yield* ConversationCommands
  const hearOptOut = yield* makeHearOptOut

  /** The words, piece by piece. `heard` gets the samples that the provider has taken. */
  const wordsIn = Effect.fnUntraced(function* (samples: Int16Array, heard: (samples: number) => void) {
    const texts: Array<string> = []
    for (const { from, to } of piecesOf(samples, recordedRate, longestPiece)) {
      texts.push(yield* speech.transcribe(samples.subarray(from, to)))
      heard(to - from)
    }
    return texts.filter((text) => text !== "").join(" ")
  })

  const hasTokens = Effect.fnUntraced(function* (organizationId: string, now: number) {
    const organization = yield* organizations.find(organizationId)
    if (organization === undefined) return false
    return (yield* tokens.thisMonth(organizationId, organization.timeZone, now)) < aiTokensOf(organization)
  })

  /** What became of the file. Fails when another attempt may do better. */
  const newsOf = Effect.fnUntraced(function* (
    organizationId: string,
    mediaId: string,
    now: number,
    heard: (samples: number) => void
  ) {
    if (!(yield* hasTokens(organizationId, now))) return { transcriptError: noTokens }
    const pieces = yield* Stream.runCollect(files.open(organizationId, mediaId))
    const samples = yield* reader.read(Buffer.concat(pieces))
    const transcript = yield* wordsIn(samples, heard)
    return transcript === "" ? { transcriptError: noWords } : { transcript }
  })

  /** Keeps what became of it, obeys the words of one who wants no more messages, and lets the agent go on that waits. */
  const keep = Effect.fnUntraced(function* (item: InboxItem, messageId: string, news: VoiceNoteNews, samples: number) {
    const { organizationId } = item
    const now = yield* Clock.currentTimeMillis
    const inputTokens = Math.ceil((samples / recordedRate) * tokensPerVoiceSecond)
    const usage = samples === 0 ? [] : [{ model: speech.model, inputTokens, outputTokens: 0 }]
    const message = yield* messages.transcribed(organizationId, messageId, news, usage, now)
    if (message === undefined) return
    yield* hearOptOut(message)
    yield* Effect.ignore(commands.runTurn(organizationId, message.conversationId))
  })

  const take = traced("Inbox.voiceNote")(function* (item: InboxItem) {
    const told = payloadOf(item)
    const [messageId, mediaId] = [textOf(told.messageId), textOf(told.transcribe)]
    if (messageId === undefined || mediaId === undefined)
      return yield* new Unreadable({ message: "The item names no voice message." })
    let samples = 0
    const news = yield* newsOf(item.organizationId, mediaId, yield* Clock.currentTimeMillis, (more) => {
      samples += more
    }).pipe(
      Effect.catchTags({
        UnreadableVoiceNote: ({ message }) => Effect.succeed({ transcriptError: message }),
        MediaNotFound: () => Effect.succeed({ transcriptError: gone }),
        SpeechError: (error) =>
          error.reason === "rejected"
            ? Effect.succeed({ transcriptError: `The voice message could not be transcribed: ${error.message}` })
            : Effect.fail(error)
      })
    )
    yield* keep(item, messageId, news, samples)
    yield* inbox.settle(item, Effect.void, yield* Clock.currentTimeMillis)
  })

  /** After the last attempt: the message says so, and the item is kept for an operator. */
  const givenUp = (item: InboxItem) => {
    const messageId = textOf(payloadOf(item).messageId)
    return messageId === undefined ? Effect.void : keep(item, messageId, { transcriptError: notAnswered }, 0)
  }
  return { take, givenUp }
})
