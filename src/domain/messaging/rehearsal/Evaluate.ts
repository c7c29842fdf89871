/** Runs an evaluation: plays its conversations, and says what was not as expected. */
import { Effect } from "effect"
import type { TokenUsage } from "../../ai/providers/Reasoning.ts"
import type { TextAgentSettings } from "../agents/TextAgent.ts"
import type { EvalConversation, EvalStep, GivenAnswers } from "./EvalConversation.ts"
import { type Done, makeJudge, problemsOf } from "./Judge.ts"

/** How many conversations are played at once. */
const atOnce = 4

/** What happened in one step. */
export interface Played extends Done {
  readonly step: EvalStep
  /** The agent wrote although a person had the conversation. */
  readonly spokeOver: boolean
}

export interface EvaluatedStep extends Done {
  readonly step: EvalStep
  readonly problems: ReadonlyArray<string>
}

export interface Evaluated {
  readonly name: string
  readonly steps: ReadonlyArray<EvaluatedStep>
  readonly passed: boolean
}

/** Plays one conversation with an agent of these settings; `answers` are those of tools. */
export type Play<E, R> = (
  settings: TextAgentSettings,
  answers: GivenAnswers,
  conversation: EvalConversation
) => Effect.Effect<ReadonlyArray<Played>, E, R>

/** Needs Reasoning, which judges what is said. `spend` gets the tokens of that. */
export const evaluate = Effect.fnUntraced(function* <E, R>(
  play: Play<E, R>,
  settings: TextAgentSettings,
  {
    tools = {},
    conversations
  }: { readonly tools?: GivenAnswers; readonly conversations: ReadonlyArray<EvalConversation> },
  told: (evaluated: Evaluated) => Effect.Effect<void> = () => Effect.void,
  spend?: (usage: TokenUsage) => void
) {
  const judge = yield* makeJudge
  const one = Effect.fnUntraced(function* (conversation: EvalConversation) {
    const played = yield* play(settings, tools, conversation)
    const steps = yield* Effect.forEach(played, ({ step, spokeOver, ...done }) =>
      Effect.gen(function* () {
        const { expect } = step
        const found = expect === undefined ? [] : [...problemsOf(expect, done), ...(yield* judge(expect, done, spend))]
        const over = spokeOver ? ["It wrote although a person had the conversation."] : []
        return { step, ...done, problems: [...over, ...found] }
      })
    )
    const evaluated = { name: conversation.name, steps, passed: steps.every(({ problems }) => problems.length === 0) }
    yield* told(evaluated)
    return evaluated
  })
  return yield* Effect.forEach(conversations, one, { concurrency: atOnce })
})
