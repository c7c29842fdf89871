/** Use case: play a run of an evaluation that was claimed, judge what the agent did, and keep it. */
import { Clock, Effect } from "effect"
import { ModelTokens } from "../../ai/providers/ModelTokens.ts"
import { Reasoning, type TokenUsage } from "../../ai/providers/Reasoning.ts"
import { traced } from "../../basics/Traced.ts"
import { textsOf } from "./EvalConversation.ts"
import { type Evaluated, evaluate } from "./Evaluate.ts"
import { type EvaluatedConversation, type EvaluationJob, EvaluationRuns } from "./EvaluationRun.ts"
import { makePlayConversation } from "./PlayConversation.ts"

/** A worker that does not hold its claim for so long has gone. Milliseconds. */
export const runLeaseMs = 120_000
const holdEvery = "30 seconds"

const shown = ({ name, passed, steps }: Evaluated): EvaluatedConversation => ({
  name,
  passed,
  steps: steps.map(({ step, said, tools, outcome, problems }) => ({
    contact: textsOf(step.contact),
    human: step.human ?? null,
    handBack: step.handBack === true,
    resolve: step.resolve === true,
    said,
    tools: tools.map(({ name, arguments: input, result }) => ({ name, arguments: input, result })),
    outcome,
    problems
  }))
})

/** Needs TurnRehearsal, EvaluationRuns, ModelTokens and Reasoning. It fails when the model that judges does not answer. A run that was deleted meanwhile ends. */
export const makeRunEvaluation = Effect.gen(function* () {
  const runs = yield* EvaluationRuns
  const tokens = yield* ModelTokens
  const reasoning = yield* Reasoning
  const play = yield* makePlayConversation

  return traced("RunEvaluation")(function* (job: EvaluationJob) {
    const { organizationId, script } = job
    const progress = { done: 0, passed: 0 }
    const hold = Effect.flatMap(Clock.currentTimeMillis, (now) => runs.hold(job, now + runLeaseMs, { ...progress }))
    const told = ({ passed }: Evaluated) =>
      Effect.suspend(() => {
        progress.done++
        if (passed) progress.passed++
        return Effect.asVoid(hold)
      })
    /** Ends when the run was deleted. */
    const holding = Effect.gen(function* () {
      do yield* Effect.sleep(holdEvery)
      while (yield* hold)
    })
    const spent: Array<TokenUsage> = []
    const playing = evaluate(play(script.agent), script.agent, script, told, (usage) => spent.push(usage)).pipe(
      Effect.provideService(Reasoning, reasoning),
      Effect.ensuring(
        Effect.flatMap(Clock.currentTimeMillis, (now) => tokens.spend(organizationId, script.agent.id, [...spent], now))
      )
    )
    const evaluated = yield* Effect.raceFirst(playing, Effect.as(holding, undefined))
    if (evaluated !== undefined) yield* runs.end(job, evaluated.map(shown))
  })
})
