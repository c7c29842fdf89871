/**
 * What people are told on their devices, and when: a message came in, a conversation is theirs, an answer is overdue. Told once per event
 * and device; of one conversation a device shows the newest only (`collapseKey`).
 */
import { Context, type Effect, Schema } from "effect"
import type { Message } from "../messaging/conversations/Message.ts"
import type { EventType } from "./Event.ts"

/** News older than this is not told any more. */
export const pushLifetimeMs = 60 * 60_000
const longestPreview = 80

/** The conversation an event is about, as it is now. */
export interface PushedConversation {
  readonly id: string
  readonly contactId: string
  readonly contactName: string | null
  /** A person who can sign in; null for nobody, and for an AI agent (`assignedAgentId`). */
  readonly assignedUserId: string | null
  readonly assignedAgentId: string | null
}

export type PushedType = Extract<EventType, "message.received" | "conversation.assigned" | "conversation.sla_breached">
export const pushedTypes: ReadonlyArray<PushedType> = [
  "message.received",
  "conversation.assigned",
  "conversation.sla_breached"
]

/** Who is told: everybody who answers conversations, or these, and beside them who leads. */
export type PushAudience = "everybody" | { readonly userIds: ReadonlyArray<string>; readonly leaders: boolean }

const nobody: PushAudience = { userIds: [], leaders: false }

/** `assignee`: whom an event of assignment names; it is told only while it still holds. */
export const audienceOf = (
  type: PushedType,
  { assignedUserId, assignedAgentId }: PushedConversation,
  assignee: string | null
): PushAudience => {
  const theirs = assignedUserId === null ? undefined : [assignedUserId]
  switch (type) {
    case "message.received":
      // An AI agent answers by itself.
      if (theirs === undefined) return assignedAgentId === null ? "everybody" : nobody
      return { userIds: theirs, leaders: false }
    case "conversation.assigned":
      return theirs !== undefined && assignee === assignedUserId ? { userIds: theirs, leaders: false } : nobody
    case "conversation.sla_breached":
      return theirs === undefined ? "everybody" : { userIds: theirs, leaders: true }
  }
}

/** What a device shows. `data` is for the app, to open the conversation. */
export interface PushContent {
  readonly title: string
  readonly body: string
  readonly collapseKey: string
  readonly data: Readonly<Record<string, string>>
}

const kinds: Readonly<Record<string, string>> = {
  image: "a picture",
  sticker: "a sticker",
  document: "a document",
  audio: "a voice message",
  video: "a video",
  location: "a location",
  contact: "a contact",
  reaction: "a reaction"
}

/** The beginning of a message, on one line; what it is when it has no text. */
export const previewOf = ({ type, content }: Pick<Message, "type" | "content">): string => {
  const text = [content.text, content.caption, content.title, content.name].find((part) => typeof part === "string")
  const line = type in kinds && text === undefined ? `Sent ${kinds[type]}.` : String(text ?? "Sent a message.")
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

/** Nothing of the contact or the message unless the organization wants previews: a locked screen shows it to everybody. */
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

export interface PushNotification extends PushContent {
  readonly organizationId: string
  readonly eventId: string
  readonly deviceId: string
  readonly token: string
  /** How often it was tried before. */
  readonly attempts: number
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** The token is nobody's any more. */
export class DeviceGone extends Schema.TaggedError<DeviceGone>()("DeviceGone", { message: Schema.String }) {}
/** It will never be taken. */
export class PushRefused extends Schema.TaggedError<PushRefused>()("PushRefused", { message: Schema.String }) {}
/** Later, perhaps; not before `retryAfterMs`, when that is given. */
export class PushUnavailable extends Schema.TaggedError<PushUnavailable>()("PushUnavailable", {
  message: Schema.String,
  retryAfterMs: Schema.NullOr(Schema.Number)
}) {}

/** Port to the push service. */
export class PushService extends Context.Service<
  PushService,
  {
    readonly send: (
      notification: Pick<PushNotification, "token" | "title" | "body" | "data" | "collapseKey">
    ) => Effect.Effect<void, DeviceGone | PushRefused | PushUnavailable>
  }
>()("parley/domain/PushService") {}

/** Port to what is to be told. Times are Unix milliseconds. */
export class Pushes extends Context.Service<
  Pushes,
  {
    /** Organizations whose newest events are not looked at yet. */
    readonly waiting: (most: number) => Effect.Effect<ReadonlyArray<string>>
    /** Turns the next events into notifications, in one transaction with the note how far it came; gives how many events. */
    readonly take: (organizationId: string, now: number, most: number) => Effect.Effect<number>
    /** Notifications that are due, now this worker's for `leaseMs`. */
    readonly claim: (now: number, leaseMs: number, most: number) => Effect.Effect<ReadonlyArray<PushNotification>>
    readonly done: (notification: PushNotification) => Effect.Effect<void>
    readonly postpone: (notification: PushNotification, dueAt: number) => Effect.Effect<void>
    readonly forgetDevice: (notification: PushNotification) => Effect.Effect<void>
  }
>()("parley/domain/Pushes") {}

/** Milliseconds until a notification is tried again after so many attempts; `chance` from 0 to 1 spreads them. */
export const pushBackOff = (attempts: number, retryAfterMs: number | null, chance: number): number =>
  Math.max(retryAfterMs ?? 0, Math.min(5_000 * 2 ** attempts, 600_000)) * (1 + 0.2 * chance)

/** Whether content previews are shown. */
export class PushSettings extends Context.Service<
  PushSettings,
  {
    readonly preview: (organizationId: string) => Effect.Effect<boolean>
    readonly setPreview: (organizationId: string, preview: boolean) => Effect.Effect<void>
  }
>()("parley/domain/PushSettings") {}
