/** A run of an evaluation: its conversations, played with one agent as it was when the run was started. */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import type { Listed, Part } from "../../basics/Listing.ts"
import { TextAgent } from "../agents/TextAgent.ts"
import { TextAgentChanges } from "../agents/TextAgentInput.ts"
import { GivenAnswers } from "./EvalConversation.ts"
import { EvaluationConversation } from "./Evaluation.ts"

/** The newest runs of an evaluation that are kept. */
export const mostRuns = 50

/** The most runs of an organization that wait or are played. */
export const mostWaitingRuns = 10

export const NewEvaluationRun = Schema.Struct({
  agentId: Schema.String.check(
    Schema.isMaxLength(60),
    Schema.makeFilter((id: string) => /^bot_[0-9A-Za-z]+$/.test(id) || "must be the id of a text agent (bot_…).")
  ),
  /** Changes of the agent that apply to this run only. */
  draft: Schema.optionalKey(TextAgentChanges)
}).annotate({ title: "NewEvaluationRun", examples: [{ agentId: exampleIds.textAgent }] })
export type NewEvaluationRun = typeof NewEvaluationRun.Type

/** What came of one conversation. */
export const EvaluatedConversation = Schema.Struct({
  name: Schema.String,
  passed: Schema.Boolean,
  steps: Schema.Array(
    Schema.Struct({
      /** What the contact wrote; empty when something else happened. */
      contact: Schema.Array(Schema.String),
      /** What a person wrote. */
      human: Schema.NullOr(Schema.String),
      handBack: Schema.Boolean,
      resolve: Schema.Boolean,
      said: Schema.Array(Schema.String),
      tools: Schema.Array(Schema.Struct({ name: Schema.String, arguments: Schema.String, result: Schema.String })),
      outcome: Schema.Literals(["answered", "handed_over", "resolved", "silent"]),
      /** What was not as expected, each in a sentence. */
      problems: Schema.Array(Schema.String)
    })
  )
})
export type EvaluatedConversation = typeof EvaluatedConversation.Type

const about = {
  id: Schema.String,
  organizationId: Schema.String,
  evaluationId: Schema.String,
  agentId: Schema.String,
  agentName: Schema.String,
  /** It was played with changes that were not saved. */
  draft: Schema.Boolean,
  state: Schema.Literals(["queued", "running", "done", "failed"]),
  /** Why it failed. */
  problem: Schema.NullOr(Schema.String),
  /** Conversations: all, those that are played, and those of them that were as expected. */
  total: Schema.Int,
  done: Schema.Int,
  passed: Schema.Int,
  /** Who started it: a person or an API key. */
  startedBy: Schema.String,
  createdAt: Schema.String,
  endedAt: Schema.NullOr(Schema.String)
}

const example = {
  id: exampleIds.evaluationRun,
  organizationId: exampleIds.organization,
  evaluationId: exampleIds.evaluation,
  agentId: exampleIds.textAgent,
  agentName: "Shop assistant",
  draft: false,
  state: "done" as const,
  problem: null,
  total: 1,
  done: 1,
  passed: 1,
  startedBy: exampleIds.owner,
  createdAt: "2026-11-20T08:31:00.000Z",
  endedAt: "2026-11-20T08:31:04.000Z"
}

export const EvaluationRun = Schema.Struct(about).annotate({ title: "EvaluationRun", examples: [example] })
export type EvaluationRun = typeof EvaluationRun.Type

/** A run with what came of it; without conversations until it is done. */
export const EvaluationResult = Schema.Struct({
  ...about,
  conversations: Schema.Array(EvaluatedConversation)
}).annotate({
  title: "EvaluationResult",
  examples: [
    {
      ...example,
      conversations: [
        {
          name: "Asks whether an order is ready",
          passed: true,
          steps: [
            {
              contact: ["Is my order 2041 ready?"],
              human: null,
              handBack: false,
              resolve: false,
              said: ["I am an AI assistant.\n\nYes, your order 2041 is ready."],
              tools: [{ name: "find_order", arguments: '{"orderNumber":"2041"}', result: '{"state":"ready"}' }],
              outcome: "answered",
              problems: []
            }
          ]
        }
      ]
    }
  ]
})
export type EvaluationResult = typeof EvaluationResult.Type

/** What a run plays. It is stored with the run, so that changes of evaluation and agent do not change it. */
export const EvaluationScript = Schema.Struct({
  agent: TextAgent,
  tools: GivenAnswers,
  conversations: Schema.Array(EvaluationConversation)
})

/** A run that a worker has claimed. */
export interface EvaluationJob {
  readonly organizationId: string
  readonly id: string
  readonly script: typeof EvaluationScript.Type
  /** How often it was claimed, this time included. */
  readonly attempts: number
}

/** Port of the stored runs. */
export class EvaluationRuns extends Context.Service<
  EvaluationRuns,
  {
    /** Newest first; undefined when there is no such evaluation. */
    readonly list: (
      organizationId: string,
      evaluationId: string,
      part: Part
    ) => Effect.Effect<Listed<EvaluationRun> | undefined>
    readonly find: (
      organizationId: string,
      evaluationId: string,
      id: string
    ) => Effect.Effect<EvaluationResult | undefined>
    /** Queues a run with what the evaluation is at present, and forgets the oldest ones. `full`: too many wait. */
    readonly start: (
      organizationId: string,
      evaluationId: string,
      agent: TextAgent,
      by: { readonly draft: boolean; readonly startedBy: string }
    ) => Effect.Effect<EvaluationRun | "full" | undefined>
    readonly remove: (organizationId: string, evaluationId: string, id: string) => Effect.Effect<boolean>
    /** Claims runs that are due at `now`, until `now + leaseMs` (Unix milliseconds). */
    readonly claim: (now: number, leaseMs: number, most: number) => Effect.Effect<ReadonlyArray<EvaluationJob>>
    /** Holds the claim until `until`, and tells how far it is. False: the run was deleted. */
    readonly hold: (
      job: EvaluationJob,
      until: number,
      progress: { readonly done: number; readonly passed: number }
    ) => Effect.Effect<boolean>
    readonly end: (job: EvaluationJob, conversations: ReadonlyArray<EvaluatedConversation>) => Effect.Effect<void>
    readonly fail: (job: EvaluationJob, problem: string) => Effect.Effect<void>
  }
>()("parley/domain/EvaluationRuns") {}
