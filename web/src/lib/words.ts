/** What records are called on the page: the API's meaning, never its codes. */
import type { Call, Conversation, Message } from "@parley/client"
import { phone } from "./format.ts"
import { message, t } from "./i18n.ts"
import { fieldsOf, listOf, textOf } from "./record.ts"

export const contactName = ({
  name,
  phone: number
}: {
  readonly name: string | null
  readonly phone: string | null
}): string => name ?? (number === null ? t("Unknown contact") : phone(number))

const channels: Readonly<Record<Conversation["channel"], string>> = {
  messaging: message("WhatsApp"),
  voice: message("Calls"),
  team_chat: message("Team chat")
}
export const channelName = (channel: Conversation["channel"]): string => t(channels[channel])

const statuses: Readonly<Record<Message["status"], string>> = {
  received: message("Received"),
  queued: message("Waiting"),
  sent: message("Sent"),
  delivered: message("Delivered"),
  read: message("Read"),
  failed: message("Not sent")
}
export const statusName = (status: Message["status"]): string => t(statuses[status])

const ends: Readonly<Record<NonNullable<Call["endReason"]>, string>> = {
  caller_hangup: message("ended by caller"),
  agent_hangup: message("ended by agent"),
  silence: message("ended in silence"),
  max_duration: message("longest duration reached"),
  transferred: message("handed to a human"),
  queued_for_human: message("asked for a human, nobody free"),
  outside_hours: message("outside business hours"),
  moderation: message("ended by the content filter"),
  provider_failure: message("a provider failed"),
  capacity: message("all lines were busy"),
  error: message("failed")
}
export const endName = (reason: NonNullable<Call["endReason"]>): string => t(ends[reason])
export const endReasons = Object.keys(ends) as ReadonlyArray<NonNullable<Call["endReason"]>>

const callStates: Readonly<Record<Call["status"], string>> = {
  queued: message("waiting to be placed"),
  ringing: message("ringing"),
  in_progress: message("in progress"),
  completed: message("completed"),
  busy: message("busy"),
  no_answer: message("no answer"),
  failed: message("failed"),
  canceled: message("canceled")
}
export const callState = (status: Call["status"]): string => t(callStates[status])

/** The text that a message has for people to read, if it has one. */
export const messageText = ({ content }: Pick<Message, "content">): string | undefined =>
  textOf(content.text) ?? textOf(content.caption) ?? textOf(fieldsOf(fieldsOf(content.interactive).body).text)

/** A message in one line, for lists. */
export const preview = (one: Pick<Message, "type" | "content">): string => {
  const { type, content } = one
  const text = messageText(one)
  const named = (kind: string) => (text === undefined ? kind : `${kind} · ${text}`)
  switch (type) {
    case "image":
      return named(t("Photo"))
    case "video":
      return named(t("Video"))
    case "audio":
      return content.voice === true ? t("Voice message") : t("Audio")
    case "sticker":
      return t("Sticker")
    case "document":
      return textOf(content.filename) ?? named(t("File"))
    case "location":
      return `${t("Location")}${textOf(content.name) === undefined ? "" : ` · ${textOf(content.name)}`}`
    case "contact":
      return named(`${t("Contact card")} · ${textOf(fieldsOf(listOf(content.contacts)[0]?.name).formatted_name) ?? ""}`)
    case "reaction":
      return textOf(content.emoji) === undefined
        ? t("Took a reaction back")
        : t("Reacted {emoji}", { emoji: textOf(content.emoji) ?? "" })
    case "template":
      return text ?? t("Template {name}", { name: textOf(content.templateName) ?? "" })
    case "button":
      return t("Button: {text}", { text: text ?? "" })
    case "order":
      return t("Order from the catalog")
    case "unsupported":
      return t("A kind of message that cannot be shown")
    default:
      return text ?? t("Message")
  }
}
