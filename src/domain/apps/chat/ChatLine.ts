/** What a conversation of another channel looks like in a team chat: its card, and the lines of its thread. Pure. */
import type { CallItem, Conversation, ConversationDetail } from "../../messaging/conversations/Conversation.ts"
import { dashboardUrl } from "../../messaging/conversations/DashboardUrl.ts"
import type { Message } from "../../messaging/conversations/Message.ts"
import { messageKinds } from "../../messaging/conversations/MessageKinds.ts"
import type { CallSummary } from "../../voice/calls/records/CallSummary.ts"
import type { ChatButton } from "../AppChat.ts"
import { contactLabel, timeIn } from "./ChatAlert.ts"
import { chatText } from "./ChatText.ts"

/** What the buttons of a conversation do. */
export const takeAction = "parley_take"
export const resolveAction = "parley_resolve"

const longestPreview = 200
/** A line of a thread is cut here, in characters. */
const longestLine = 3_500
const mostUtterances = 40

const cut = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most - 1)}…`)

const said = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined

/** A message as people read it. */
export const messageText = ({ type, content }: Pick<Message, "type" | "content">): string => {
  if (type === "audio") {
    const words = said(content.transcript)
    return words === undefined ? "[a voice message]" : `🎤 ${words}`
  }
  const own = said(content.text) ?? said(content.title) ?? said(content.caption)
  if (type === "text") return own ?? ""
  if (type === "reaction") return said(content.emoji) ?? "[a reaction]"
  const kind = messageKinds[type]
  const text = type === "location" || type === "interactive" ? chatText({ type, content }) : own
  if (kind === undefined) return text ?? "[a message]"
  return text === undefined ? `[${kind}]` : `[${kind}] ${text}`
}

export interface CardTerms {
  readonly publicBaseUrl: string
  readonly timeZone: string
  /** The name of who has it; null: nobody. */
  readonly holder: string | null
}

const channels = { messaging: "WhatsApp", voice: "Call", team_chat: "Team chat" } as const

const stateOf = ({ status, assignee, lastActivityAt }: Conversation, { holder, timeZone }: CardTerms): string => {
  if (status === "RESOLVED") return holder === null ? "✅ Resolved" : `✅ Resolved · ${holder}`
  if (status === "OPEN") return `⏳ Waits for a colleague · ${timeIn(lastActivityAt, timeZone)}`
  return assignee?.startsWith("usr_") === true ? `👤 ${holder} has it` : `🤖 ${holder} answers`
}

/**
 * The message with which a conversation's thread begins, and its buttons. It quotes what the contact wrote last: what an agent said when it handed over
 * tells nobody what is wanted.
 */
export const cardOf = (conversation: ConversationDetail, terms: CardTerms) => {
  const { id, status, assignee, contact, channel, lastMessage, messages } = conversation
  const wanted = messages.find(({ direction, type }) => direction === "inbound" && type !== "reaction") ?? lastMessage
  const preview = wanted === null ? undefined : messageText(wanted).replace(/\s+/g, " ")
  const number = contact.name === null || contact.phone === null ? [] : [contact.phone]
  const lines = [
    [`*${contactLabel(contact)}*`, channels[channel], ...number].join(" · "),
    ...(preview === undefined ? [] : [`“${cut(preview, longestPreview)}”`]),
    stateOf(conversation, terms),
    dashboardUrl(terms.publicBaseUrl, id)
  ]
  const isTaken = status === "ASSIGNED" && assignee?.startsWith("usr_") === true
  const take: ChatButton = { action: takeAction, value: id, label: "Take", style: "primary" }
  const resolve: ChatButton = { action: resolveAction, value: id, label: "Resolve" }
  const buttons = [...(isTaken ? [] : [take]), ...(status === "RESOLVED" ? [] : [resolve])]
  return { text: lines.join("\n"), buttons }
}

/** A message of the thread, with who wrote it. */
export const messageLine = (message: Message, author: string): string =>
  cut(`*${author}*: ${messageText(message)}`, longestLine)

const seconds = (total: number) => `${Math.floor(total / 60)}:${String(Math.floor(total % 60)).padStart(2, "0")}`

/** A call of the thread: what it was, what was said last, and what it came to. */
export const callLine = (call: CallItem, summary: CallSummary | null, timeZone: string): string => {
  const { direction, endReason, durationSeconds, createdAt, utterances } = call
  const head = [
    direction === "inbound" ? "📞 Called" : "📞 Was called",
    timeIn(createdAt, timeZone),
    ...(durationSeconds === null ? [] : [seconds(durationSeconds)]),
    ...(endReason === null ? [] : [endReason.replaceAll("_", " ")])
  ].join(" · ")
  if (summary?.state === "done")
    return [head, summary.text, ...(summary.nextStep === null ? [] : [`Next: ${summary.nextStep}`])].join("\n")
  const lines = utterances
    .slice(-mostUtterances)
    .map(({ role, text }) => `${role === "agent" ? "Agent" : "Caller"}: ${text}`)
  return cut([head, ...lines].join("\n"), longestLine)
}
