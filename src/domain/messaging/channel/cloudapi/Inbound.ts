/** Translates what the Cloud API reports into the domain: contacts' messages, reports on our messages, changed identities and preferences. Pure. */
import { isId } from "../../../basics/Ids.ts"
import { isJsonObject, type JsonObject, present } from "../../../basics/Json.ts"
import { contactPhone } from "../../../basics/Phone.ts"
import type { Message, MessageType, StatusReport } from "../../conversations/Message.ts"
import { failureOf } from "./Failures.ts"
import { objects, textOf } from "./Webhook.ts"

/** The person who wrote, as far as the channel tells: at least one of number and user id. */
export interface InboundPerson {
  /** E.164. */
  readonly phone?: string
  readonly userId?: string
  readonly name?: string
}

/** A file that came with a message and is stored at the channel. */
export interface InboundFile {
  readonly channelMediaId: string
  readonly mimeType?: string
  readonly filename?: string
}

export interface InboundMessage {
  readonly channelMessageId: string
  readonly person: InboundPerson
  readonly type: MessageType
  readonly content: Message["content"]
  /** The channel's id of the message that this one answers or reacts to. */
  readonly about?: string
  readonly file?: InboundFile
  /** When it was written, Unix milliseconds; the channel tells whole seconds. */
  readonly at?: number
  /** The contact has this number (E.164) from now on. */
  readonly movedTo?: string
}

export interface InboundStatus {
  readonly channelMessageId: string
  /** Our id, when the channel returns it. */
  readonly messageId?: string
  readonly report: StatusReport
}

/** The channel writes numbers as digits without the plus. */
const phoneOf = (digits: unknown): string | undefined => {
  const text = textOf(digits)
  return text === undefined ? undefined : contactPhone(`+${text.replace(/^\+/, "")}`)
}

const secondsOf = (value: unknown): number | undefined => {
  const seconds = typeof value === "number" ? value : /^\d{1,12}$/.test(textOf(value) ?? "") ? Number(value) : undefined
  return seconds === undefined || !Number.isFinite(seconds) ? undefined : seconds * 1_000
}

const nameOf = (contact: unknown): string | undefined => {
  const profile = isJsonObject(contact) && isJsonObject(contact.profile) ? contact.profile : {}
  const name = textOf(profile.name) ?? textOf(profile.username)
  // A name has one line.
  return (
    name
      ?.replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
      .trim()
      .slice(0, 200) || undefined
  )
}

/** A `from` that is not a number is an id of the channel. */
const personOf = (one: JsonObject, contact: unknown): InboundPerson => {
  const known = isJsonObject(contact) ? contact : {}
  const number = textOf(one.from) ?? textOf(known.wa_id)
  const phone = phoneOf(number)
  const userId = textOf(one.from_user_id) ?? textOf(known.user_id) ?? (phone === undefined ? number : undefined)
  const name = nameOf(contact)
  return {
    ...(phone === undefined ? {} : { phone }),
    ...(userId === undefined ? {} : { userId }),
    ...(name === undefined ? {} : { name })
  }
}

const files = new Set(["image", "video", "audio", "document", "sticker"])

interface Understood {
  readonly type: MessageType
  readonly content: JsonObject
  readonly about?: string
  readonly file?: InboundFile
}

const fileMessage = (type: MessageType, part: JsonObject): Understood => {
  const { mime_type, caption, filename, sha256, voice, animated } = part
  const channelMediaId = textOf(part.id)
  const content = present({ caption, filename, mimeType: mime_type, sha256, voice, animated })
  if (channelMediaId === undefined) return { type, content }
  const [mimeType, named] = [textOf(mime_type), textOf(filename)]
  return {
    type,
    content,
    file: {
      channelMediaId,
      ...(mimeType === undefined ? {} : { mimeType }),
      ...(named === undefined ? {} : { filename: named })
    }
  }
}

/** The content of a tapped button or list row, with the label that the person read as `text`. */
const interactive = (part: JsonObject): Understood => {
  const reply = [part.button_reply, part.list_reply, part.nfm_reply].find(isJsonObject) ?? {}
  return {
    type: "interactive",
    content: present({ interactive: part, text: textOf(reply.title) ?? textOf(reply.body) })
  }
}

const unknown = (message: JsonObject): Understood => {
  const channelType = textOf(message.type) ?? "unknown"
  return {
    type: "unsupported",
    content: present({
      channelType,
      errors: message.errors,
      [channelType === "errors" ? "raw" : channelType]: message[channelType]
    })
  }
}

const understood = (message: JsonObject): Understood => {
  const type = textOf(message.type) ?? ""
  const part = message[type]
  if (type === "contacts" && Array.isArray(part)) return { type: "contact", content: { contacts: part } }
  if (!isJsonObject(part)) return unknown(message)
  if (files.has(type)) return fileMessage(type as MessageType, part)
  switch (type) {
    case "text":
      return { type, content: present({ text: textOf(part.body) ?? "" }) }
    case "location":
      return { type, content: part }
    case "reaction": {
      const about = textOf(part.message_id)
      // No emoji: the person took the reaction back.
      return {
        type,
        content: present({ emoji: textOf(part.emoji) ?? "", channelMessageId: about }),
        ...(about === undefined ? {} : { about })
      }
    }
    case "interactive":
      return interactive(part)
    case "button":
      return { type, content: present({ text: part.text, payload: part.payload }) }
    case "order":
      return { type, content: { order: part } }
    case "system":
      return { type, content: present({ text: part.body, system: part }) }
    default:
      return unknown(message)
  }
}

/** The origin of a message: an advertisement, a product, a forwarded message. */
const circumstances = ({ referral, context }: JsonObject): JsonObject => {
  const quoted = isJsonObject(context) ? context : {}
  return present({
    referral,
    referredProduct: quoted.referred_product,
    forwarded: quoted.forwarded ?? quoted.frequently_forwarded
  })
}

/** A contact's message; `undefined` when it has no id or no sender. */
export const inboundMessage = (message: JsonObject, contact: unknown): InboundMessage | undefined => {
  const channelMessageId = textOf(message.id)
  const person = personOf(message, contact)
  if (channelMessageId === undefined || (person.phone === undefined && person.userId === undefined)) return undefined
  const { type, content, about, file } = understood(message)
  const system = isJsonObject(message.system) ? message.system : {}
  const answered = about ?? textOf(isJsonObject(message.context) ? message.context.id : undefined)
  const at = secondsOf(message.timestamp)
  const movedTo = textOf(system.type) === "user_changed_number" ? phoneOf(system.wa_id ?? system.new_wa_id) : undefined
  return {
    channelMessageId,
    person,
    type,
    content: { ...content, ...circumstances(message) },
    ...(answered === undefined ? {} : { about: answered }),
    ...(file === undefined ? {} : { file }),
    ...(at === undefined ? {} : { at }),
    ...(movedTo === undefined ? {} : { movedTo })
  }
}

const failure = (status: JsonObject) => {
  const [error] = objects(status.errors)
  const data = error !== undefined && isJsonObject(error.error_data) ? error.error_data : {}
  const said = textOf(data.details) ?? textOf(error?.message) ?? textOf(error?.title) ?? ""
  const { code, reason } = failureOf(typeof error?.code === "number" ? error.code : -1, said)
  return { code: code === "-1" ? null : code, reason }
}

/** A report on our message; `undefined` when it reports no `MessageStatus`, such as a deletion by the sender. `now`: Unix milliseconds. */
export const inboundStatus = (status: JsonObject, now: number): InboundStatus | undefined => {
  const channelMessageId = textOf(status.id)
  if (channelMessageId === undefined) return undefined
  const at = new Date(secondsOf(status.timestamp) ?? now).toISOString()
  const ours = textOf(status.biz_opaque_callback_data)
  const which = {
    channelMessageId,
    ...(ours !== undefined && isId("msg", ours) ? { messageId: ours } : {})
  }
  switch (status.status) {
    case "sent":
    case "delivered":
    case "read":
      return { ...which, report: { status: status.status, at } }
    // The person listened to a voice message.
    case "played":
      return { ...which, report: { status: "read", at } }
    case "failed":
      return { ...which, report: { status: "failed", at, failure: failure(status) } }
    default:
      return undefined
  }
}

/** A change of the channel's id of a person; `undefined` when one of the two ids is missing. */
export const inboundIdentity = (
  update: JsonObject,
  contact: unknown
): { readonly previousUserId: string; readonly person: InboundPerson } | undefined => {
  const ids = isJsonObject(update.user_id) ? update.user_id : {}
  const [previousUserId, userId] = [textOf(ids.previous), textOf(ids.current)]
  if (previousUserId === undefined || userId === undefined) return undefined
  const phone = phoneOf(update.wa_id)
  const name = nameOf(contact)
  return {
    previousUserId,
    person: { userId, ...(phone === undefined ? {} : { phone }), ...(name === undefined ? {} : { name }) }
  }
}

/** What a person chose with the channel's own switch for marketing messages; `undefined` for every other preference. */
export const inboundPreference = (
  preference: JsonObject
):
  | { readonly person: InboundPerson; readonly wanted: boolean; readonly text: string; readonly at?: number }
  | undefined => {
  const { category, value, detail, wa_id, user_id, timestamp } = preference
  const person = personOf(present({ from: wa_id, from_user_id: user_id }), undefined)
  if (category !== "marketing_messages" || (value !== "stop" && value !== "resume")) return undefined
  if (person.phone === undefined && person.userId === undefined) return undefined
  const at = secondsOf(timestamp)
  return { person, wanted: value === "resume", text: textOf(detail) ?? value, ...(at === undefined ? {} : { at }) }
}

/** A message that arrives later than this after it was written keeps the channel's time. Milliseconds. */
const liveMs = 60_000

/**
 * When a message was written, Unix milliseconds. The channel tells whole seconds, which would mix up messages written quickly one after the other.
 * So a message that arrives soon gets the time of its arrival. A late message gets the channel's second and the milliseconds of its arrival.
 */
export const writtenAt = (told: number | undefined, receivedAt: number): number =>
  told === undefined || told > receivedAt - liveMs ? receivedAt : told + (receivedAt % 1_000)
