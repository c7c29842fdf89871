/**
 * What Slack tells by events: requests signed with the secret of the app, or envelopes over a socket. What is written becomes an arrival of its thread, so that
 * a thread is read in order; a message that is told twice (a mention, a repetition) is one by its id.
 */
import { Effect, Option, Schema } from "effect"
import type { ChatHeard, ChatNews } from "../../domain/apps/AppChat.ts"
import { AppRejection, type AppRequest } from "../../domain/apps/AppInbound.ts"
import { isSignedBody } from "../secrets/SignedBody.ts"
import { arrivalOf, File, millisOf, pressedNews, type Told } from "./SlackNews.ts"

/** How old a signature may be, in seconds; as much may our clocks differ. */
const longestAge = 300
/** The type of metadata with which our messages are sent: Slack tells it back. */
export const ownMessage = "parley_message"

const optional = Schema.optionalKey

const said = {
  ts: optional(Schema.String),
  user: optional(Schema.String),
  bot_id: optional(Schema.String),
  subtype: optional(Schema.String),
  text: optional(Schema.String),
  thread_ts: optional(Schema.String),
  parent_user_id: optional(Schema.String),
  files: optional(Schema.Array(File)),
  edited: optional(Schema.Struct({ ts: Schema.String }))
}
const Said = Schema.Struct(said)
type Said = typeof Said.Type

const Event = Schema.Struct({
  ...said,
  type: Schema.String,
  /** Of messages an id; of a renamed channel a record. */
  channel: optional(Schema.Union([Schema.String, Schema.Struct({ id: Schema.String, name: optional(Schema.String) })])),
  channel_type: optional(Schema.String),
  event_ts: optional(Schema.String),
  message: optional(Said),
  previous_message: optional(Said),
  deleted_ts: optional(Schema.String),
  channel_id: optional(Schema.String),
  message_ts: optional(Schema.String),
  metadata: optional(
    Schema.Struct({ event_type: Schema.String, event_payload: Schema.Record(Schema.String, Schema.Json) })
  ),
  tokens: optional(Schema.Struct({ bot: optional(Schema.Array(Schema.String)) }))
})
type Event = typeof Event.Type

const Outer = Schema.Struct({
  type: Schema.String,
  challenge: optional(Schema.String),
  team_id: optional(Schema.String),
  event_id: optional(Schema.String),
  event: optional(Event),
  authorizations: optional(
    Schema.Array(Schema.Struct({ team_id: optional(Schema.NullOr(Schema.String)), user_id: optional(Schema.String) }))
  )
})
const readOuter = Schema.decodeUnknownOption(Schema.fromJsonString(Outer))

const nothing: ChatHeard = { news: { type: "nothing" } }
/** Kinds of messages that a person writes. All others are notes of Slack, or of apps. */
const written = new Set([undefined, "file_share", "thread_broadcast", "me_message"])

/** A message of a person, in the state that the event tells. */
const writing = (
  told: Told,
  type: "said" | "edited" | "deleted",
  channelId: string,
  message: Said,
  changedTs: string
): ChatNews => {
  const { ts = "", user, bot_id, subtype, text = "", thread_ts: threadTs, parent_user_id, files = [], edited } = message
  // Those of apps, and our own: two apps that answer each other would never end.
  if (ts === "" || bot_id !== undefined || subtype === "bot_message" || user === told.botUserId)
    return { type: "nothing" }
  if (type === "said" && !written.has(subtype)) return { type: "nothing" }
  const isDirect = channelId.startsWith("D")
  const thread = threadTs ?? (isDirect ? "" : ts)
  const starter = threadTs === undefined || threadTs === ts ? user : parent_user_id
  return arrivalOf(told, `message.${type}`, channelId, thread, millisOf(changedTs), {
    ...{ type, teamId: told.teamId, channelId, isDirect, ts, threadTs: threadTs ?? null, userId: user ?? null },
    starterId: starter === undefined || starter === told.botUserId ? null : starter,
    text: text.slice(0, 40_000),
    files: files.slice(0, 50),
    editedTs: edited?.ts ?? null
  })
}

const messageNews = (told: Told, event: Event, channelId: string): ChatNews => {
  const { subtype, message, previous_message: before, deleted_ts: deletedTs, event_ts: eventTs = "0" } = event
  if (subtype === "message_changed") {
    if (message === undefined) return { type: "nothing" }
    // The first message of a thread whose other messages stay.
    if (message.subtype === "tombstone")
      return writing(told, "deleted", channelId, { ...message, ...before, ts: message.ts ?? "" }, eventTs)
    // What Slack adds by itself, such as previews of links, is no edit.
    return message.edited === undefined
      ? { type: "nothing" }
      : writing(told, "edited", channelId, message, message.edited.ts)
  }
  if (subtype === "message_deleted")
    return writing(told, "deleted", channelId, { ...before, ts: deletedTs ?? before?.ts ?? "" }, eventTs)
  return writing(told, "said", channelId, event, event.ts ?? "0")
}

const channelIdOf = ({ channel, channel_id }: Event): string | undefined =>
  typeof channel === "string" ? channel : (channel?.id ?? channel_id)

const newsOf = (told: Told, event: Event): ChatNews => {
  const { teamId } = told
  const channelId = channelIdOf(event)
  const access = (): ChatNews => ({
    type: "access",
    teamId,
    arrival: {
      id: told.eventId,
      topic: event.type,
      lane: "access",
      at: null,
      payload: JSON.stringify({ type: "access" })
    }
  })
  if (event.type === "app_uninstalled") return access()
  if (event.type === "tokens_revoked") return (event.tokens?.bot ?? []).length > 0 ? access() : { type: "nothing" }
  if (channelId === undefined) return { type: "nothing" }
  switch (event.type) {
    case "message":
      return messageNews(told, event, channelId)
    case "app_mention":
      return writing(told, "said", channelId, event, event.ts ?? "0")
    case "message_metadata_posted": {
      const { metadata, message_ts: ts } = event
      const messageId = metadata?.event_payload.message_id
      if (metadata?.event_type !== ownMessage || typeof messageId !== "string" || ts === undefined)
        return { type: "nothing" }
      return arrivalOf(told, "message.delivered", channelId, `delivered:${ts}`, millisOf(ts), {
        type: "delivered",
        teamId,
        channelId,
        ts,
        messageId
      })
    }
    case "channel_rename":
    case "group_rename": {
      const name = typeof event.channel === "object" ? event.channel.name : undefined
      return name === undefined
        ? { type: "nothing" }
        : { type: "channel", teamId, channelId, change: { name: name.slice(0, 200) } }
    }
    case "channel_archive":
    case "group_archive":
    case "channel_deleted":
    case "group_deleted":
      return { type: "channel", teamId, channelId, change: { isArchived: true } }
    case "channel_unarchive":
    case "group_unarchive":
      return { type: "channel", teamId, channelId, change: { isArchived: false } }
    case "channel_left":
    case "group_left":
      return { type: "channel", teamId, channelId, change: { isMember: false } }
    case "member_joined_channel":
      return event.user === told.botUserId
        ? { type: "channel", teamId, channelId, change: { isMember: true } }
        : { type: "nothing" }
    default:
      return { type: "nothing" }
  }
}

/** Reads an outer event, or what somebody has pressed; undefined when it is none. */
export const readSlackEvent = (body: string): ChatHeard | undefined => {
  const outer = readOuter(body)
  if (Option.isNone(outer)) return undefined
  if (outer.value.type === "block_actions") return { news: pressedNews(body) }
  const { type, challenge, team_id: teamId, event_id: eventId, event, authorizations = [] } = outer.value
  if (type === "url_verification" && challenge !== undefined) return { ...nothing, answer: challenge }
  if (type !== "event_callback" || event === undefined || eventId === undefined) return nothing
  const [first] = authorizations
  const team = first?.team_id ?? teamId
  return team === undefined ? nothing : { news: newsOf({ teamId: team, eventId, botUserId: first?.user_id }, event) }
}

/** The form of `X-Slack-Signature`. */
const signatureForm = /^v0=([0-9a-f]{64})$/

/** Checks the signature over the raw body, in constant time, and reads what it says. Without a secret, as with events over sockets, no request is good. */
export const makeHearSlack = (signingSecret: string | undefined) => {
  const secrets = signingSecret === undefined || signingSecret === "" ? [] : [signingSecret]
  return ({ headers, body }: AppRequest, now: number): Effect.Effect<ChatHeard, AppRejection> => {
    const timestamp = headers["x-slack-request-timestamp"] ?? ""
    const reject = (status: 400 | 401, message: string) => Effect.fail(new AppRejection({ status, message }))
    if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1_000 - Number(timestamp)) > longestAge)
      return reject(401, "The request is too old, or its time is missing.")
    const [, signature = ""] = signatureForm.exec(headers["x-slack-signature"] ?? "") ?? []
    const signed = Buffer.concat([Buffer.from(`v0:${timestamp}:`), body])
    if (!isSignedBody(secrets, signed, signature, "hex")) return reject(401, "The signature is not valid.")
    const text = Buffer.from(body).toString("utf8")
    // What people press comes in a form.
    const isForm = headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true
    const heard = readSlackEvent(isForm ? (new URLSearchParams(text).get("payload") ?? "") : text)
    return heard === undefined ? reject(400, "This is not an event of Slack.") : Effect.succeed(heard)
  }
}
