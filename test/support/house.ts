/** A conversation of two questions about a house, for stories of calls that outlive their engine. */
import { Effect } from "effect"
import { speak } from "../../simulators/voice/Voice.ts"

export const houseScript = [
  {
    when: /hours/i,
    reply:
      "We are open from Monday to Friday, from nine until six. On Saturday we are open until two. On Sunday we are closed."
  },
  { when: /parking/i, reply: "Yes, behind the house." }
]

/** What is on record of it, each once. */
export const houseSentences = [
  "caller: What are your opening hours?",
  "On Sunday we are closed.",
  "caller: Is there parking?",
  "agent: Yes, behind the house."
]

/** The two questions, spoken. */
export const houseQuestions = Effect.promise(async () => {
  const [hours, parking] = await Promise.all([
    speak("What are your opening hours?", "en-US"),
    speak("Is there parking?", "en-US")
  ])
  return { hours, parking }
})
