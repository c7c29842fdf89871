/** What Slack tells, as arrivals that are stored until they are read: messages, and what people press. */
import { Option, Schema } from "effect"
import { type ChatNews, directMessages } from "../../domain/apps/AppChat.ts"
import type { AppArrival } from "../../domain/apps/AppInbound.ts"

const optional = Schema.optionalKey
export const File = Schema.Struct({
  id: Schema.String,
  name: optional(Schema.NullOr(Schema.String)),
  mimetype: optional(Schema.String),
  size: optional(Schema.Number),
  permalink: optional(Schema.String),
  url_private_download: optional(Schema.String)
})
export type SlackFile = typeof File.Type

/** What an arrival holds until it is read. */
export const SlackPayload = Schema.Union([
  Schema.Struct({
    type: Schema.Literals(["said", "edited", "deleted"]),
    teamId: Schema.String,
    channelId: Schema.String,
    isDirect: Schema.Boolean,
    ts: Schema.String,
    threadTs: Schema.NullOr(Schema.String),
    userId: Schema.NullOr(Schema.String),
    starterId: Schema.NullOr(Schema.String),
    text: Schema.String,
    files: Schema.Array(File),
    editedTs: Schema.NullOr(Schema.String)
  }),
  Schema.Struct({
    type: Schema.Literal("delivered"),
    teamId: Schema.String,
    channelId: Schema.String,
    ts: Schema.String,
    messageId: Schema.String
  }),
  Schema.Struct({
    type: Schema.Literal("pressed"),
    teamId: Schema.String,
    channelId: Schema.String,
    userId: Schema.String,
    ts: Schema.String,
    threadTs: Schema.String,
    action: Schema.String,
    value: Schema.String,
    at: Schema.Number
  }),
  Schema.Struct({ type: Schema.Literal("access") })
])
export type SlackPayload = typeof SlackPayload.Type
const readSlackPayload = Schema.decodeUnknownOption(Schema.fromJsonString(SlackPayload))

/** Milliseconds of a time of Slack. */
export const millisOf = (ts: string): number => Math.floor(Number(ts) * 1_000)

/** Of each event: whose, and which. */
export interface Told {
  readonly teamId: string
  readonly eventId: string
  readonly botUserId: string | undefined
}

export const arrivalOf = (
  { teamId, eventId }: Told,
  topic: string,
  channelId: string,
  thread: string,
  at: number,
  payload: SlackPayload
): ChatNews => ({
  type: "arrival",
  teamId,
  mapped: channelId.startsWith("D") ? directMessages : channelId,
  arrival: { id: eventId, topic, lane: `${channelId}:${thread}`, at, payload: JSON.stringify(payload) }
})

/** What an arrival says, or undefined. */
export const payloadOf = ({ payload }: AppArrival): SlackPayload | undefined =>
  Option.getOrUndefined(readSlackPayload(payload))

const id = Schema.Struct({ id: Schema.String })
const Pressed = Schema.Struct({
  team: optional(Schema.NullOr(id)),
  user: Schema.Struct({ id: Schema.String, team_id: optional(Schema.String) }),
  channel: optional(id),
  container: optional(
    Schema.Struct({
      message_ts: optional(Schema.String),
      channel_id: optional(Schema.String),
      thread_ts: optional(Schema.String)
    })
  ),
  actions: Schema.Array(
    Schema.Struct({ action_id: Schema.String, value: optional(Schema.String), action_ts: Schema.String })
  )
})
const readPressed = Schema.decodeUnknownOption(Schema.fromJsonString(Pressed))
/** The longest value of a button, in characters. */
const longestValue = 2_000

/** A button of ours that somebody has pressed. It is told once, and named by who pressed it when. */
export const pressedNews = (body: string): ChatNews => {
  const read = Option.getOrUndefined(readPressed(body))
  const [action] = read?.actions ?? []
  const { message_ts: ts, channel_id, thread_ts } = read?.container ?? {}
  const channelId = read?.channel?.id ?? channel_id
  const teamId = read?.team?.id
  if (read === undefined || action === undefined || ts === undefined || channelId === undefined || teamId === undefined)
    return { type: "nothing" }
  const { action_id, value = "", action_ts } = action
  const threadTs = thread_ts ?? ts
  const eventId = `press:${read.user.id}:${ts}:${action_id}:${action_ts}`
  const at = millisOf(action_ts)
  return arrivalOf({ teamId, eventId, botUserId: undefined }, "action", channelId, threadTs, at, {
    ...{ type: "pressed", teamId, channelId, userId: read.user.id, ts, threadTs, at },
    ...{ action: action_id.slice(0, 255), value: value.slice(0, longestValue) }
  })
}
