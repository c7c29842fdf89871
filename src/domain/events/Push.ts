/**
 * Push notifications to people's devices: a message came in, a conversation was assigned to them, an answer is overdue, an integration has failed, the AI
 * tokens of the month are used. Each is sent once to a device. A device shows only the newest notification of a conversation or connection (`collapseKey`).
 */
import { Context, type Effect, Schema } from "effect"
import type { Message } from "../messaging/conversations/Message.ts"
import { messageKinds } from "../messaging/conversations/MessageKinds.ts"
import type { EventType } from "./Event.ts"

/** Events older than this are not sent any more. Milliseconds. */
export const pushLifetimeMs = 60 * 60_000
const longestPreview = 80

/** The current state of the conversation that an event is about. */
export interface PushedConversation {
  readonly id: string
  readonly contactId: string
  readonly contactName: string | null
  /** A person who can sign in; null without an assignee, and for an AI agent (`assignedAgentId`). */
  readonly assignedUserId: string | null
  readonly assignedAgentId: string | null
}

/** The types of events about conversations that are sent as notifications. */
export type PushedType = Extract<EventType, "message.received" | "conversation.assigned" | "conversation.sla_breached">
export const pushedTypes: ReadonlyArray<PushedType> = [
  "message.received",
  "conversation.assigned",
  "conversation.sla_breached"
]

/** Who gets a notification: everybody who answers conversations; OWNERs; or the people in `userIds`, and with `leaders` also OWNERs and ADMINs. */
export type PushAudience =
  | "everybody"
  | "owners"
  | { readonly userIds: ReadonlyArray<string>; readonly leaders: boolean }

const nobody: PushAudience = { userIds: [], leaders: false }

/** What a `conversation.assigned` event says: the assignee, and whose doing it is. */
export interface Assigned {
  readonly assignee: string | null
  readonly by: string | null
}

/** Who gets a notification of an event. Of an assignment: the assignee, while it still holds, and unless it was their own doing. */
export const audienceOf = (
  type: PushedType,
  { assignedUserId, assignedAgentId }: PushedConversation,
  { assignee, by }: Assigned
): PushAudience => {
  const theirs = assignedUserId === null ? undefined : [assignedUserId]
  switch (type) {
    case "message.received":
      // An AI agent answers by itself: no person is notified.
      if (theirs === undefined) return assignedAgentId === null ? "everybody" : nobody
      return { userIds: theirs, leaders: false }
    case "conversation.assigned":
      return theirs !== undefined && assignee === assignedUserId && by !== assignee
        ? { userIds: theirs, leaders: false }
        : nobody
    case "conversation.sla_breached":
      return theirs === undefined ? "everybody" : { userIds: theirs, leaders: true }
  }
}

/** What a device shows. With `data` the app opens the conversation. */
export interface PushContent {
  readonly title: string
  readonly body: string
  readonly collapseKey: string
  readonly data: Readonly<Record<string, string>>
}

/** The beginning of a message on one line, or its kind when it has no text. */
export const previewOf = ({ type, content }: Pick<Message, "type" | "content">): string => {
  const text = [content.text, content.caption, content.title, content.name].find((part) => typeof part === "string")
  const line =
    type in messageKinds && text === undefined ? `Sent ${messageKinds[type]}.` : String(text ?? "Sent a message.")
  const characters = [...line.replace(/[\p{Cc}\p{Cs}\u2028\u2029\s]+/gu, " ").trim()]
  return characters.length <= longestPreview
    ? characters.join("")
    : `${characters.slice(0, longestPreview - 1).join("")}…`
}

const unnamed: Readonly<Record<PushedType, readonly [title: string, body: string]>> = {
  "message.received": ["New message", "A contact wrote to you."],
  "conversation.assigned": ["Conversation assigned", "A conversation is yours now."],
  "conversation.sla_breached": ["Answer overdue", "A conversation has waited too long for an answer."]
}

/** The content of a notification. It names the contact and the message only with `preview`, because a locked screen shows it to everybody. */
export const pushContent = (
  type: PushedType,
  { id, contactName }: PushedConversation,
  message: Pick<Message, "type" | "content"> | undefined,
  preview: boolean
): PushContent => {
  const [title, body] = unnamed[type]
  const about = { collapseKey: id, data: { type, conversationId: id } }
  if (!preview) return { title, body, ...about }
  const name = contactName ?? "A contact"
  if (type === "message.received")
    return { title: name, body: message === undefined ? body : previewOf(message), ...about }
  return {
    title,
    body: type === "conversation.assigned" ? `${name} is yours now.` : `${name} waits for an answer.`,
    ...about
  }
}

/** The content of a notification that an integration needs its people: the provider's name, and a sentence that says what to do. OWNERs and ADMINs get it. */
export const failedConnectionPush = ({
  id,
  provider,
  title,
  problem
}: {
  readonly id: string
  readonly provider: string
  readonly title: string
  readonly problem: string | null
}): PushContent => ({
  title: `${title} does not work`,
  body: previewOf({ type: "text", content: { text: problem ?? "Look at its connection." } }),
  collapseKey: id,
  data: { type: "connection.failed", provider }
})

/** The content of a notification that the AI tokens of the month are used. OWNERs get it. */
export const usedAllowancePush: PushContent = {
  title: "AI tokens used",
  body: "The AI tokens of this month are used: text agents hand over to people.",
  collapseKey: "ai.allowance_used",
  data: { type: "ai.allowance_used" }
}

export interface PushNotification extends PushContent {
  readonly organizationId: string
  readonly eventId: string
  readonly deviceId: string
  readonly token: string
  /** The number of earlier attempts. */
  readonly attempts: number
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** The token is not valid any more. */
export class DeviceGone extends Schema.TaggedError<DeviceGone>()("DeviceGone", { message: Schema.String }) {}
/** The push service will never accept this notification. */
export class PushRefused extends Schema.TaggedError<PushRefused>()("PushRefused", { message: Schema.String }) {}
/** The push service may accept it later, but not before `retryAfterMs` milliseconds, when they are given. */
export class PushUnavailable extends Schema.TaggedError<PushUnavailable>()("PushUnavailable", {
  message: Schema.String,
  retryAfterMs: Schema.NullOr(Schema.Number)
}) {}

/** Port of the push service. */
export class PushService extends Context.Service<
  PushService,
  {
    readonly send: (
      notification: Pick<PushNotification, "token" | "title" | "body" | "data" | "collapseKey">
    ) => Effect.Effect<void, DeviceGone | PushRefused | PushUnavailable>
  }
>()("parley/domain/PushService") {}

/** Port of the queue of notifications. Times are Unix milliseconds. */
export class Pushes extends Context.Service<
  Pushes,
  {
    /** Organizations with events that were not turned into notifications yet. */
    readonly waiting: (most: number) => Effect.Effect<ReadonlyArray<string>>
    /** Turns the next events into notifications and records its place in the log, in one transaction; gives the number of events. */
    readonly take: (organizationId: string, now: number, most: number) => Effect.Effect<number>
    /** Claims due notifications for `leaseMs`. */
    readonly claim: (now: number, leaseMs: number, most: number) => Effect.Effect<ReadonlyArray<PushNotification>>
    /** Removes a notification that was sent or will never be sent. */
    readonly done: (notification: PushNotification) => Effect.Effect<void>
    /** Ends the claim; the notification is due again at `dueAt`. */
    readonly postpone: (notification: PushNotification, dueAt: number) => Effect.Effect<void>
    /** Removes the device of a notification, because its token is not valid any more; a device with a newer token stays. */
    readonly forgetDevice: (notification: PushNotification) => Effect.Effect<void>
  }
>()("parley/domain/Pushes") {}

/** Milliseconds until the next attempt, after this number of attempts. `chance`, from 0 to 1, spreads the attempts. */
export const pushBackOff = (attempts: number, retryAfterMs: number | null, chance: number): number =>
  Math.max(retryAfterMs ?? 0, Math.min(5_000 * 2 ** attempts, 600_000)) * (1 + 0.2 * chance)

/** Port of the setting whether an organization's notifications show previews. */
export class PushSettings extends Context.Service<
  PushSettings,
  {
    readonly preview: (organizationId: string) => Effect.Effect<boolean>
    readonly setPreview: (organizationId: string, preview: boolean) => Effect.Effect<void>
  }
>()("parley/domain/PushSettings") {}
