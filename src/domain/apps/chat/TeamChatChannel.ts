/** The messaging channel of all conversations: those of team chat go to their thread, all others to the channel below. */
import { Effect, Layer, Stream } from "effect"
import { chatMessageId } from "../../messaging/channel/ChatRecord.ts"
import {
  ChannelRefused,
  ChannelUnavailable,
  ChannelUnclear,
  MessagingChannel,
  type OutgoingMessage
} from "../../messaging/channel/MessagingChannel.ts"
import type { ThreadPlace } from "../../messaging/conversations/ChatThread.ts"
import { MediaFiles } from "../../messaging/media/Media.ts"
import { AppAdapters } from "../AppAdapter.ts"
import type { AppChat } from "../AppChat.ts"
import { AppConnections } from "../AppConnection.ts"
import type { AppFailure, AppSession } from "../AppSession.ts"
import { makeUseConnection } from "../UseConnection.ts"
import { makeChatPace } from "./ChatPace.ts"
import { chatText } from "./ChatText.ts"

const provider = "slack"
const refused = (reason: string) => new ChannelRefused({ code: null, reason })
const notConnected = refused("Slack is not connected: an OWNER or ADMIN connects it.")

/** What became of a message. Without an answer nobody knows whether it is there. */
const outcome = ({ action, message, retryAfterMs }: AppFailure) => {
  switch (action) {
    case "give_up":
      return refused(message)
    case "retry":
      return new ChannelUnclear({ reason: message })
    default:
      return new ChannelUnavailable({ reason: message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) })
  }
}

/** Needs the channel below, AppConnections, AppAdapters, MediaFiles, Exclusive, HttpClient and RateLimiter. */
export const layer = Layer.effect(
  MessagingChannel,
  Effect.gen(function* () {
    const below = yield* MessagingChannel
    const connections = yield* AppConnections
    const files = yield* MediaFiles
    const pace = yield* makeChatPace
    const { chat } = (yield* AppAdapters)[provider]
    const { use } = yield* makeUseConnection

    /** Others go first: it waits in the outbox. */
    const inTurn = (place: ThreadPlace) =>
      Effect.flatMap(pace(place), (retryAfterMs) =>
        retryAfterMs === 0
          ? Effect.void
          : new ChannelUnavailable({ reason: "Other messages go to this channel first.", retryAfterMs })
      )

    const withFile = Effect.fnUntraced(function* (
      chatOf: AppChat,
      session: AppSession,
      { organizationId, content }: OutgoingMessage,
      place: ThreadPlace,
      media: { readonly id: string; readonly name: string; readonly bytes: Uint8Array }
    ) {
      const text = typeof content.caption === "string" ? content.caption : ""
      return yield* Effect.annotateLogs(chatOf.upload(session, place, { ...media, text }), { organizationId })
    })

    /** The file of a message; undefined when it has none of ours. */
    const fileOf = Effect.fnUntraced(
      function* ({ organizationId, content }: OutgoingMessage) {
        const { mediaId, filename } = content
        if (typeof mediaId !== "string") return undefined
        const media = yield* files.find(organizationId, mediaId)
        if (media === undefined) return yield* refused("The file of this message is not there any more.")
        const bytes = Buffer.concat(yield* Stream.runCollect(files.open(organizationId, mediaId)))
        const name = typeof filename === "string" ? filename : (media.filename ?? media.kind)
        return { id: mediaId, name, bytes: new Uint8Array(bytes) }
      },
      Effect.catchTags({
        MediaNotFound: () => refused("The file of this message is not there any more."),
        MediaUnavailable: ({ message }) => new ChannelUnavailable({ reason: message })
      })
    )

    const send = Effect.fnUntraced(function* (message: OutgoingMessage, place: ThreadPlace) {
      const { organizationId, messageId } = message
      const connection = yield* connections.find(organizationId, provider)
      if (chat === undefined || connection === undefined || !connection.enabled) return yield* notConnected
      if (connection.credentials.teamId !== place.teamId)
        return yield* refused("The thread of this conversation is in a workspace that is not connected any more.")
      const text = chatText(message)
      const file = yield* fileOf(message)
      if (file === undefined && text === undefined)
        return yield* refused(`A message of the type ${message.type} cannot be sent to Slack.`)
      yield* inTurn(place)
      const id = yield* use(connection, ({ session }) =>
        file === undefined
          ? chat.post(session, { place, text: text ?? "", messageId })
          : withFile(chat, session, message, place, file)
      ).pipe(Effect.mapError(outcome))
      return { channelMessageId: chatMessageId(place.teamId, place.channelId, id) }
    })

    return MessagingChannel.of({
      ...below,
      send: (message) => ("thread" in message.to ? send(message, message.to.thread) : below.send(message))
    })
  })
)
