/** Channels of Slack, and what is written there. */
import { Effect, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { AppFailure, type AppSession } from "../../domain/apps/AppAdapter.ts"
import type { AppChat, ChatButton, ChatChannel } from "../../domain/apps/AppChat.ts"
import { isOk } from "../../domain/apps/StatusFailure.ts"
import type { ThreadPlace } from "../../domain/messaging/conversations/ChatThread.ts"
import { ownMessage } from "./SlackEvents.ts"
import type { AskSlack } from "./SlackRequests.ts"
import { mrkdwn } from "./SlackText.ts"

/** Channels on a page, and pages: more than 10,000 channels are found by no search. */
const pageSize = 500
const mostPages = 20

const Channel = Schema.Struct({
  id: Schema.String,
  name: Schema.optionalKey(Schema.String),
  is_private: Schema.optionalKey(Schema.Boolean),
  is_archived: Schema.optionalKey(Schema.Boolean),
  is_member: Schema.optionalKey(Schema.Boolean)
})
const One = Schema.Struct({ channel: Channel })
const Many = Schema.Struct({
  channels: Schema.Array(Channel),
  response_metadata: Schema.optionalKey(Schema.Struct({ next_cursor: Schema.optionalKey(Schema.String) }))
})
const Posted = Schema.Struct({ ts: Schema.String })
const Done = Schema.Struct({ ok: Schema.Boolean })
const UploadUrl = Schema.Struct({ upload_url: Schema.String, file_id: Schema.String })

const channelOf = ({
  id,
  name = id,
  is_private = false,
  is_archived = false,
  is_member = false
}: typeof Channel.Type): ChatChannel => ({
  ...{ id, name, isPrivate: is_private, isArchived: is_archived, isMember: is_member }
})

const threadOf = ({ threadId }: ThreadPlace) => (threadId === "" ? {} : { thread_ts: threadId })

/** The longest text of a section, in characters. */
const longestSection = 3_000

/** A text with buttons under it. */
const blocksOf = (text: string, buttons: ReadonlyArray<ChatButton> | undefined) => {
  if (buttons === undefined) return {}
  const section = { type: "section", text: { type: "mrkdwn", text: text.slice(0, longestSection) } }
  const elements = buttons.map(({ action, value, label, style }) => ({
    ...{ type: "button", action_id: action, value, text: { type: "plain_text", text: label } },
    ...(style === undefined ? {} : { style })
  }))
  return { blocks: elements.length === 0 ? [section] : [section, { type: "actions", elements }] }
}

export const makeSlackWriting = (baseUrl: string, ask: AskSlack): Omit<AppChat, "hear" | "read"> => {
  const isAtSlack = (url: string): boolean => {
    if (!URL.canParse(url)) return false
    const { origin, hostname, protocol } = new URL(url)
    return origin === new URL(baseUrl).origin || (protocol === "https:" && hostname.endsWith(".slack.com"))
  }

  const put = Effect.fnUntraced(function* (session: AppSession, url: string, bytes: Uint8Array) {
    const answer = yield* session.ask(
      HttpClientRequest.post(url).pipe(HttpClientRequest.bodyUint8Array(bytes, "application/octet-stream"))
    )
    if (!isOk(answer))
      return yield* new AppFailure({ action: "wait", message: `Slack did not take the file (${answer.status}).` })
  })

  return {
    channels: Effect.fnUntraced(function* (session) {
      const found: Array<ChatChannel> = []
      let cursor = ""
      for (let page = 0; page < mostPages; page++) {
        const types = "public_channel,private_channel"
        const given = { types, exclude_archived: true, limit: pageSize, ...(cursor === "" ? {} : { cursor }) }
        const { channels, response_metadata } = yield* ask(session, "conversations.list", given, Many)
        found.push(...channels.map(channelOf))
        cursor = response_metadata?.next_cursor ?? ""
        if (cursor === "") break
      }
      return found
    }),
    channel: (session, channel) =>
      Effect.map(ask(session, "conversations.info", { channel }, One), (answer) => channelOf(answer.channel)),
    join: (session, channel) =>
      Effect.map(ask(session, "conversations.join", { channel }, One), (answer) => ({
        ...channelOf(answer.channel),
        isMember: true
      })),
    post: (session, { place, text, buttons, messageId, alsoInChannel = false }) =>
      Effect.map(
        ask(
          session,
          "chat.postMessage",
          {
            ...{ channel: place.channelId, text: mrkdwn(text), ...threadOf(place), unfurl_links: false },
            ...(alsoInChannel && place.threadId !== "" ? { reply_broadcast: true } : {}),
            ...blocksOf(mrkdwn(text), buttons),
            ...(messageId === undefined
              ? {}
              : { metadata: { event_type: ownMessage, event_payload: { message_id: messageId } } })
          },
          Posted
        ),
        ({ ts }) => ts
      ),
    update: (session, channel, ts, { text, buttons }) =>
      Effect.asVoid(
        ask(session, "chat.update", { channel, ts, text: mrkdwn(text), ...blocksOf(mrkdwn(text), buttons) }, Done)
      ),
    whisper: (session, place, user, text) =>
      Effect.asVoid(
        ask(
          session,
          "chat.postEphemeral",
          { channel: place.channelId, user, text: mrkdwn(text), ...threadOf(place) },
          Done
        )
      ),
    upload: Effect.fnUntraced(function* (session, place, { name, bytes, text }) {
      const asked = { filename: name, length: bytes.length }
      const { upload_url, file_id } = yield* ask(session, "files.getUploadURLExternal", asked, UploadUrl)
      yield* put(session, upload_url, bytes)
      yield* ask(
        session,
        "files.completeUploadExternal",
        {
          ...{ files: [{ id: file_id, title: name }], channel_id: place.channelId, ...threadOf(place) },
          ...(text === "" ? {} : { initial_comment: mrkdwn(text) })
        },
        Done
      )
      return file_id
    }),
    download: Effect.fnUntraced(function* (session, url, maxBytes) {
      // The token is shown to Slack only.
      if (!isAtSlack(url)) return yield* new AppFailure({ action: "give_up", message: "The file is not at Slack." })
      const { accessToken = "" } = session.credentials
      const request = HttpClientRequest.get(url).pipe(HttpClientRequest.bearerToken(accessToken))
      const answer = yield* session.fetch(request, maxBytes)
      // Without the right to it Slack answers with a page to sign in.
      const isPage = answer.headers["content-type"]?.startsWith("text/html") === true
      if (answer.status !== 200 || isPage)
        return yield* new AppFailure({ action: "give_up", message: `Slack does not give the file (${answer.status}).` })
      return answer.bytes
    }),
    atWork: (session, place) =>
      place.threadId === ""
        ? Effect.void
        : Effect.asVoid(
            ask(
              session,
              "assistant.threads.setStatus",
              { channel_id: place.channelId, ...threadOf(place), status: "is thinking…" },
              Done
            )
          )
  }
}
