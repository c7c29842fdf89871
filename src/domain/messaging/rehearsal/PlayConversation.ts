/** Plays a conversation of an evaluation in memory, turn by turn: a person who speaks silences the agent until it is handed back, as in real conversations. */
import { Effect } from "effect"
import type { TextAgent } from "../agents/TextAgent.ts"
import { type EvalConversation, type EvalStep, type GivenAnswers, textsOf } from "./EvalConversation.ts"
import type { Played } from "./Evaluate.ts"
import type { Done } from "./Judge.ts"
import { type RehearsedLine, type RehearsedTurn, TurnRehearsal } from "./TurnRehearsal.ts"

/** What a contact is called whom the evaluation does not name. */
const nameless = "Asha Rao"

const textOf = ({ content }: RehearsedTurn["said"][number]): string =>
  typeof content.text === "string" ? content.text : JSON.stringify(content)

const outcomeOf = (kind: RehearsedTurn["kind"], said: ReadonlyArray<string>): Done["outcome"] => {
  if (said.length === 0) return "silent"
  return kind === "failed" ? "handed_over" : kind
}

const nothing = { said: [], tools: [], outcome: "silent" } as const

/** Needs TurnRehearsal. No tool runs but the search of knowledge. */
export const makePlayConversation = Effect.map(
  TurnRehearsal,
  ({ answer }) =>
    (agent: TextAgent) =>
      Effect.fnUntraced(function* (_: unknown, answers: GivenAnswers, conversation: EvalConversation) {
        const { name = nameless, tags = [] } = conversation.contact ?? {}
        const lines: Array<RehearsedLine> = []
        let silent = false
        let resolved = false

        const turn = Effect.fnUntraced(function* () {
          const terms = {
            agent,
            contact: { name, tags },
            lines: [...lines],
            answers: { ...answers, ...conversation.tools },
            runsTools: false,
            failures: 0
          }
          const first = yield* answer(terms)
          // A turn that failed is tried again, and then it is a colleague's.
          const { kind, said, tools } = first.kind === "failed" ? yield* answer({ ...terms, failures: 1 }) : first
          const texts = said.map(textOf)
          for (const text of texts) lines.push({ from: "agent", text })
          silent = kind === "handed_over"
          resolved = kind === "resolved"
          return { said: texts, tools, outcome: outcomeOf(kind, texts) } satisfies Done
        })

        const play = Effect.fnUntraced(function* (step: EvalStep) {
          if (step.human !== undefined) {
            lines.push({ from: "person", text: step.human })
            silent = true
            return nothing
          }
          if (step.resolve === true) {
            resolved = true
            return nothing
          }
          if (step.handBack === true) {
            silent = false
            return lines.at(-1)?.from === "contact" ? yield* turn() : nothing
          }
          for (const text of textsOf(step.contact)) lines.push({ from: "contact", text })
          // A conversation that was resolved begins anew.
          if (resolved) silent = false
          return silent ? nothing : yield* turn()
        })

        const played: Array<Played> = []
        for (const step of conversation.turns) played.push({ step, ...(yield* play(step)), spokeOver: false })
        return played
      })
)
