/** Which events show a conversation of another channel in a team chat, and what is written into its thread. Pure. */
import { Option, Schema } from "effect"
import type { Channel } from "../../people/contacts/Channel.ts"
import type { HeardEvent } from "./ChatAlert.ts"
import type { PostContent } from "./ChatPost.ts"

/** The types of events that matter to conversations in a team chat. */
export const queueTypes = [
  "message.received",
  "message.queued",
  "message.status",
  "message.updated",
  "conversation.assigned",
  "conversation.reopened",
  "conversation.resolved",
  "call.ended",
  "call.summarized"
] as const

const optional = Schema.optionalKey
const About = Schema.Struct({
  message: optional(
    Schema.Struct({
      id: Schema.String,
      conversationId: Schema.String,
      direction: Schema.String,
      status: Schema.String,
      content: Schema.Record(Schema.String, Schema.Unknown)
    })
  ),
  conversation: optional(Schema.Struct({ id: Schema.String })),
  call: optional(Schema.Struct({ id: Schema.String, conversationId: Schema.NullOr(Schema.String) }))
})
const readAbout = Schema.decodeUnknownOption(About)
const about = ({ data }: HeardEvent): typeof About.Type => Option.getOrElse(readAbout(data), () => ({}))

/** The conversation that an event is about. */
export const conversationOf = (event: HeardEvent): string | undefined => {
  const { message, conversation, call } = about(event)
  return message?.conversationId ?? conversation?.id ?? call?.conversationId ?? undefined
}

/** What the conversation is when the event is read. */
export interface QueueState {
  readonly channel: Channel
  readonly status: string
  /** One of its calls goes on. */
  readonly live: boolean
}

const waits: Readonly<Record<Channel, ReadonlyArray<string>>> = {
  messaging: ["message.received", "conversation.assigned", "conversation.reopened"],
  voice: ["conversation.assigned", "conversation.reopened", "call.ended", "call.summarized"],
  team_chat: []
}

/** Whether after this event the conversation waits for people. A call that has only begun has nobody yet, and waits for nobody. */
export const waitsForPeople = ({ type }: HeardEvent, { channel, status, live }: QueueState): boolean =>
  status === "OPEN" && waits[channel].includes(type) && (!live || type === "conversation.assigned")

/** What is written, and why. */
export interface DeskLine {
  readonly once: string
  readonly content: PostContent
}

/** The beginning of a conversation's thread. */
export const openingOf = (event: HeardEvent): ReadonlyArray<DeskLine> => [
  { once: "card", content: { type: "card" } },
  { once: "history", content: { type: "history", before: about(event).message?.id ?? null } }
]

const ofMessage = (event: HeardEvent): ReadonlyArray<DeskLine> => {
  const { message } = about(event)
  if (message === undefined) return []
  const { id: messageId, direction, status, content } = message
  const line = (type: "message" | "file" | "words" | "failed"): ReadonlyArray<DeskLine> => [
    { once: type === "message" ? messageId : `${type}:${messageId}`, content: { type, messageId } }
  ]
  if (event.type === "message.status") return status === "failed" ? line("failed") : []
  if (event.type !== "message.updated") return line("message")
  if (direction !== "inbound") return []
  return [
    ...(typeof content.mediaId === "string" ? line("file") : []),
    ...(typeof content.transcript === "string" ? line("words") : [])
  ]
}

/** What an event adds to the thread of its conversation. */
export const deskLinesOf = (event: HeardEvent): ReadonlyArray<DeskLine> => {
  const state: DeskLine = { once: event.id, content: { type: "state" } }
  const { call } = about(event)
  switch (event.type) {
    case "conversation.reopened":
      return [state, { once: `again:${event.id}`, content: { type: "again" } }]
    case "conversation.assigned":
    case "conversation.resolved":
      return [state]
    case "call.ended":
    case "call.summarized":
      return call === undefined ? [] : [{ once: event.id, content: { type: "call", callId: call.id } }]
    default:
      return ofMessage(event)
  }
}
