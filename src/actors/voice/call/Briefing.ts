/**
 * What the model reads in every turn of a call, beside the conversation: the agent's instructions (prompt and tools), and facts about the call, such
 * as the contact's name. They are judged while the disclosure plays, so the first answer does not wait for it. Instructions that passed once are not
 * judged again in this process.
 */
import { Effect, Fiber } from "effect"
import { type Flag, judgeTexts, withheld } from "../../../domain/ai/providers/JudgeTexts.ts"
import type { Moderation, ModerationError } from "../../../domain/ai/providers/Moderation.ts"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"

export interface Briefing {
  /** The instructions were flagged: the agent may not answer with them. */
  readonly instructionsFlag: Flag | undefined
  /** The facts that passed, and a sentence for those that did not. */
  readonly facts: ReadonlyArray<string>
}

/** The agents whose instructions passed, by id, with the version that did. */
const passed = new Map<string, string>()
/** The oldest go first; a forgotten one is only judged again. */
const mostPassed = 10_000

const notePassed = ({ agentId, version }: AgentConfig): void => {
  passed.delete(agentId)
  passed.set(agentId, version)
  if (passed.size <= mostPassed) return
  const [oldest] = passed.keys()
  if (oldest !== undefined) passed.delete(oldest)
}

/** What the model reads of an agent's configuration. */
const instructionsOf = ({ systemPrompt, tools }: AgentConfig): ReadonlyArray<string> => [
  systemPrompt,
  ...tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }))
]

/**
 * Begins to judge, in the scope of the call. Gives the effect that waits for the briefing; without a verdict it fails, and asks again the next time it
 * is run. `withhold` gets the flag of each fact that is kept from the model, once.
 */
export const make = Effect.fnUntraced(function* (
  agent: AgentConfig,
  facts: ReadonlyArray<string>,
  withhold: (flag: Flag) => Effect.Effect<void>
) {
  let known: Briefing | undefined
  const instructions = passed.get(agent.agentId) === agent.version ? [] : instructionsOf(agent)

  const ask: Effect.Effect<Briefing, ModerationError, Moderation> = Effect.flatMap(
    judgeTexts([...instructions, ...facts]),
    (flags) => {
      const ofInstructions = flags.slice(0, instructions.length).find((flag) => flag !== undefined)
      const ofFacts = flags.slice(instructions.length)
      if (ofInstructions === undefined) notePassed(agent)
      const used = facts.filter((_, index) => ofFacts[index] === undefined)
      known = {
        instructionsFlag: ofInstructions,
        facts: used.length === facts.length ? used : [...used, withheld.fact]
      }
      return Effect.as(
        Effect.forEach(ofFacts, (flag) => (flag === undefined ? Effect.void : withhold(flag)), { discard: true }),
        known
      )
    }
  )

  const first = yield* Effect.forkScoped(ask)
  return Effect.suspend(() =>
    known === undefined ? Effect.catch(Fiber.join(first), () => ask) : Effect.succeed(known)
  )
})
