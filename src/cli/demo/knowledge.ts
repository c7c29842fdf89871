/** The knowledge base of the demo's shop, made through the REST interface as a person makes it. */
import { Effect } from "effect"
import type { ChatRequest } from "../../../simulators/language-model/Messages.ts"
import { type Access, ask, DemoFailed, made } from "./support/rest.ts"
import { until } from "./support/until.ts"

const pairs = [
  {
    question: "Can the delivery address be changed?",
    answer: "The delivery address can be changed until six in the evening of the day of the order."
  },
  {
    question: "Returning books",
    answer: "Books can be returned within 30 days with the receipt. Audio books cannot be returned."
  },
  { question: "Gift cards", answer: "Gift cards are sold for 10, 25 and 50 dollars, and are valid for three years." }
]

/** Seconds that the first sync may take. */
const patience = 20

/** Makes the knowledge base, and waits until what it says can be found. Returns its id. The key needs `knowledge:write`. */
export const createKnowledge = Effect.fnUntraced(function* (access: Access) {
  const id = yield* made(access, "/api/knowledge-bases", { name: "Maple Books" })
  const sources = `/api/knowledge-bases/${id}/sources`
  const source = yield* made(access, sources, { title: "Questions", answers: pairs })
  const found = Effect.flatMap(ask(access, "GET", `${sources}/${source}`), ({ state, problem }) =>
    state === "failed"
      ? new DemoFailed({ message: `The knowledge could not be read: ${problem}` })
      : Effect.succeed(state === "ready" ? id : undefined)
  )
  return yield* until("The knowledge was not ready", patience, found)
})

/** The scripted model's answer from what the request tells it; without that it does not know. */
export const answerFrom =
  (fact: RegExp, answer: (words: string) => string) =>
  ({ messages }: ChatRequest): string => {
    for (const { content } of messages.toReversed()) {
      const [words] = fact.exec(content ?? "") ?? []
      if (words !== undefined) return answer(words)
    }
    return "I am sorry, I do not know that."
  }
