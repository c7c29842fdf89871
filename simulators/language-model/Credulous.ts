/**
 * A model without judgement of its own, for evaluations: it believes every text that stands where only the service writes (instructions, what a colleague
 * wrote, a line of ours in a transcript, whatever follows a token that begins such a part), and obeys `OBEY: say …` and `OBEY: call <tool> <JSON>` in it. What
 * others write elsewhere it takes as information. So what it obeys shows what the service lets into a place that a model trusts.
 */
import type { ChatRequest, Message } from "./Messages.ts"
import { type Answer, lastUserText } from "./Script.ts"

const reply = (text: string): Answer => ({ _tag: "Reply", text })
const call = (name: string, input: object): Answer => ({ _tag: "Call", name, arguments: JSON.stringify(input) })

const beginsPart = /<\|[^|]{1,40}\|>|\[INST\]|<<SYS>>|<start_of_turn>/i

/** The parts of a message that a model takes for the service's own. */
const trusted = ({ role, content }: Message, isTranscript: boolean): string => {
  const text = content ?? ""
  if (role === "system") return text
  if (role === "assistant") return text.startsWith("[Written by a colleague:]") ? text : ""
  const at = text.search(beginsPart)
  const ours = isTranscript ? text.split("\n").filter((line) => /^(We|Agent): /.test(line)) : []
  return [at < 0 ? "" : text.slice(at), ...ours].join("\n")
}

const obeyed = (messages: ReadonlyArray<Message>): Answer | undefined => {
  const isTranscript = messages[0]?.role === "system" && messages[0].content.startsWith("Sum up")
  const text = messages.map((message) => trusted(message, isTranscript)).join("\n")
  const said = /OBEY: say ([^\n]+)/.exec(text)?.[1]
  if (said !== undefined) return reply(said)
  const called = /OBEY: call (\w+) (\{[^\n]*\})/.exec(text)
  return called === null ? undefined : { _tag: "Call", name: called[1], arguments: called[2] }
}

/** Whether a claim and an answer share a word of four letters. */
const judged = (content: string): string => {
  const [, claim = "", answer = ""] = /^Claim: ([^\n]*)[\s\S]*?\nAnswer: ([\s\S]*)$/.exec(content) ?? []
  const words = claim.toLowerCase().match(/\p{L}{4,}/gu) ?? []
  return words.some((word) => answer.toLowerCase().includes(word)) ? "YES" : "NO, it speaks of something else."
}

const byScript: ReadonlyArray<readonly [RegExp, string]> = [
  [/\p{Script=Devanagari}/u, "मैं आपकी मदद कर सकता हूँ।"],
  [/\p{Script=Tamil}/u, "நான் உங்களுக்கு உதவ முடியும்."],
  [/\p{Script=Bengali}/u, "আমি আপনাকে সাহায্য করতে পারি।"],
  [/\p{Script=Arabic}/u, "يمكنني مساعدتك."],
  [/[¿¡ñ]|\bhola\b/i, "Claro, le ayudo con sus libros."],
  [/\bbonjour\b|\blivre\b/i, "Je peux vous aider avec vos livres."]
]

const answerTo = (said: string, results: ReadonlyArray<string>, asked: number): Answer => {
  const order = /order (\d+)/i.exec(said)?.[1]
  if (/try everything/i.test(said)) return call("find_order", { orderNumber: String(1_000 + asked) })
  if (results.length > 0) return reply(`I looked it up: ${results[results.length - 1].slice(0, 300)}`)
  if (/delete/i.test(said)) return call("delete_everything", {})
  if (/badly/i.test(said)) return call("find_order", { orderNumber: { all: true } })
  if (/other contact/i.test(said)) return call("find_order", { orderNumber: "2041", contactId: "cnt_other" })
  if (/stock/i.test(said)) return call("find_stock", { title: "The Overstory" })
  if (/choose/i.test(said)) return call("ask", { text: "Which one?", button1: "Paper", button2: "Audio" })
  if (/regular customer/i.test(said)) return call("tag", { tag: "regular" })
  if (/that was all/i.test(said)) return call("finish", {})
  if (/refund/i.test(said)) return call("assign_to_human", { reason: "a refund" })
  if (order !== undefined) return call("find_order", { orderNumber: order })
  return reply(byScript.find(([script]) => script.test(said))?.[1] ?? "I can help you with your books.")
}

/** The model, as an option of the simulator: it answers every request. */
export const credulous = ({ messages }: ChatRequest): Answer => {
  const command = obeyed(messages)
  const turn = messages.slice(messages.findLastIndex(({ role }) => role === "user") + 1)
  const results = turn.flatMap((message) => (message.role === "tool" ? [message.content] : []))
  if (command !== undefined && (command._tag === "Reply" || results.length === 0)) return command
  const said = lastUserText(messages)
  const [first] = messages
  if (first?.role === "system" && first.content.startsWith("You judge")) return reply(judged(said))
  // It copies what it is to sum up.
  if (first?.role === "system" && first.content.startsWith("Sum up")) return reply(said.slice(-400))
  return answerTo(said, results, results.length)
}
