/** An evaluation of an organization: conversations that are played with its text agents, and what is expected of them. */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import type { Listed, Part } from "../../basics/Listing.ts"
import { lines, oneLine, plainText } from "../../basics/PlainText.ts"
import { Expected, GivenAnswers, stepsProblem } from "./EvalConversation.ts"

/** The most evaluations of an organization. */
export const mostEvaluations = 50
const mostConversations = 100
const mostTurns = 50
const mostBurst = 10

const words = lines(4_000)
const Words = Schema.Union([words, Schema.Array(words).check(Schema.isMaxLength(20))])

/** A turn that can be played in memory. `parley eval` plays more, e.g. what a person does while the agent thinks. */
const EvaluationTurn = Schema.Struct({
  /** What the contact writes; a list is a burst. */
  contact: Schema.optionalKey(
    Schema.Union([words, Schema.Array(words).check(Schema.isMinLength(1), Schema.isMaxLength(mostBurst))])
  ),
  /** What a person writes: the agent is silent from then on. */
  human: Schema.optionalKey(words),
  /** The conversation is given back to the agent. */
  handBack: Schema.optionalKey(Schema.Literal(true)),
  resolve: Schema.optionalKey(Schema.Literal(true)),
  expect: Schema.optionalKey(
    Schema.Struct({
      ...Expected.fields,
      contains: Schema.optionalKey(Words),
      not: Schema.optionalKey(Words),
      says: Schema.optionalKey(Words),
      source: Schema.optionalKey(words),
      messages: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 })))
    })
  )
})

export const EvaluationConversation = Schema.Struct({
  name: plainText(200),
  contact: Schema.optionalKey(
    Schema.Struct({
      name: Schema.optionalKey(oneLine(200)),
      tags: Schema.optionalKey(Schema.Array(plainText(64)).check(Schema.isMaxLength(20)))
    })
  ),
  /** What tools answer, by their names. A tool without an answer fails; only knowledge is looked up. */
  tools: Schema.optionalKey(GivenAnswers),
  turns: Schema.Array(EvaluationTurn).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(mostTurns),
    Schema.makeFilter((turns) => stepsProblem(turns) ?? true)
  )
})
export type EvaluationConversation = typeof EvaluationConversation.Type

const settable = {
  name: plainText(120),
  /** The same for all conversations. */
  tools: GivenAnswers,
  conversations: Schema.Array(EvaluationConversation).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(mostConversations),
    Schema.makeFilter(
      (all: ReadonlyArray<EvaluationConversation>) =>
        new Set(all.map(({ name }) => name)).size === all.length || "must not have two with the same name."
    )
  )
}

const example = {
  name: "Orders",
  tools: { find_order: { orderNumber: "2041", state: "ready" } },
  conversations: [
    {
      name: "Asks whether an order is ready",
      contact: { name: "Asha", tags: ["regular"] },
      turns: [
        {
          contact: "Is my order 2041 ready?",
          expect: { tools: [{ name: "find_order", arguments: { orderNumber: "2041" } }], says: "The order is ready." }
        }
      ]
    }
  ]
} as const

export const NewEvaluation = Schema.Struct({ ...settable, tools: Schema.optionalKey(GivenAnswers) }).annotate({
  title: "NewEvaluation",
  examples: [example]
})
export type NewEvaluation = typeof NewEvaluation.Type

export const EvaluationChanges = Schema.Struct({
  name: Schema.optionalKey(settable.name),
  tools: Schema.optionalKey(settable.tools),
  conversations: Schema.optionalKey(settable.conversations)
}).annotate({ title: "EvaluationChanges", examples: [{ name: "Orders and returns" }] })
export type EvaluationChanges = typeof EvaluationChanges.Type

const about = {
  id: Schema.String,
  organizationId: Schema.String,
  name: Schema.String,
  /** How many conversations it has. */
  size: Schema.Int,
  createdAt: Schema.String,
  updatedAt: Schema.String
}

const aboutExample = {
  id: exampleIds.evaluation,
  organizationId: exampleIds.organization,
  name: example.name,
  size: 1,
  createdAt: "2026-11-20T08:30:00.000Z",
  updatedAt: "2026-11-20T08:30:00.000Z"
}

/** An evaluation in a list. */
export const EvaluationSummary = Schema.Struct(about).annotate({ title: "EvaluationSummary", examples: [aboutExample] })
export type EvaluationSummary = typeof EvaluationSummary.Type

export const Evaluation = Schema.Struct({
  ...about,
  tools: GivenAnswers,
  conversations: Schema.Array(EvaluationConversation)
}).annotate({
  title: "Evaluation",
  examples: [{ ...aboutExample, tools: example.tools, conversations: example.conversations }]
})
export type Evaluation = typeof Evaluation.Type

/** Port of the stored evaluations. */
export class Evaluations extends Context.Service<
  Evaluations,
  {
    /** Newest first. */
    readonly list: (organizationId: string, part: Part) => Effect.Effect<Listed<EvaluationSummary>>
    readonly find: (organizationId: string, id: string) => Effect.Effect<Evaluation | undefined>
    /** Undefined when the organization has `most` already. */
    readonly create: (
      organizationId: string,
      input: NewEvaluation,
      most: number
    ) => Effect.Effect<Evaluation | undefined>
    readonly update: (
      organizationId: string,
      id: string,
      changes: EvaluationChanges
    ) => Effect.Effect<Evaluation | undefined>
    /** With its runs. */
    readonly remove: (organizationId: string, id: string) => Effect.Effect<boolean>
  }
>()("parley/domain/Evaluations") {}
