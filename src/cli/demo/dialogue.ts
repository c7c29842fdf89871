/** The demo's conversation: what the caller says, and how the scripted model answers. */
import type { Script } from "../../../simulators/language-model/Script.ts"
import { answerFrom } from "./knowledge.ts"

export const language = "en-US"

export const lines = {
  hours: "Hello, I would like to know your opening hours.",
  interruption: "Wait, what about next Friday?",
  order: "Where is my order number four two seven?",
  silent: "Yes. Can I change the delivery address?",
  thanks: "Thank you, that is very helpful.",
  human: "Please let me talk to a human."
} as const

/** What only the knowledge base says. */
export const known = "until six in the evening"

export const welcome = "Welcome to Maple Books. How can I help you?"

export const script: Script = [
  {
    when: /opening hours/i,
    reply:
      "We are open from nine to six, Monday to Saturday. On Sundays we open at ten. During the holidays our hours change, so please check our page before you visit."
  },
  { when: /friday/i, reply: "On Friday we are open from nine to six, as usual." },
  {
    when: /order/i,
    tool: { name: "order_status", arguments: { order: "427" } },
    reply: (result) =>
      result.includes("in transit")
        ? "Your order is on its way, and arrives on Tuesday."
        : "I cannot find that order just now."
  },
  {
    when: /address/i,
    compose: answerFrom(/until six in the evening[^.]*/, (until) => `Yes, you can change it ${until}.`)
  },
  { when: /thank you/i, reply: "You are welcome. Is there anything else?" }
]
