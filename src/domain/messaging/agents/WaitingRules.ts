/** How long an agent waits for more after a message, so that one answer covers what people write in several messages. Pure; milliseconds. */
import type { Message } from "../conversations/Message.ts"

const afterQuestionMs = 400
/** People write about a file after they have sent it. */
const afterFileMs = 3_000

const files: ReadonlySet<Message["type"]> = new Set(["image", "document", "audio", "video", "sticker"])
/** Question marks of the scripts that people write in, and what may follow one. */
const question = /[?？؟](\s|["'”’)\]]|\p{Extended_Pictographic}|\u200d|\ufe0f)*$/u

/** The types that are answered. Reactions and what the channel reports as a message are not. */
const answerable: ReadonlySet<Message["type"]> = new Set([
  "text",
  "image",
  "document",
  "audio",
  "video",
  "sticker",
  "location",
  "contact",
  "interactive",
  "button",
  "order"
])

export const isAnswerable = ({ type }: Pick<Message, "type">): boolean => answerable.has(type)

/** The pause after this message; `waitMs` is the agent's own setting. */
export const pauseAfter = ({ type, content }: Pick<Message, "type" | "content">, waitMs: number): number => {
  // The words are not there yet: what was said is answered, and not that something was sent.
  if (type === "audio" && typeof content.transcript !== "string") return Math.max(waitMs, afterFileMs)
  if (waitMs === 0) return 0
  const text = type === "audio" ? content.transcript : content.text
  if (type !== "audio" && files.has(type)) return Math.max(waitMs, afterFileMs)
  const asks = type === "button" || type === "interactive" || (typeof text === "string" && question.test(text))
  return asks ? Math.min(waitMs, afterQuestionMs) : waitMs
}
