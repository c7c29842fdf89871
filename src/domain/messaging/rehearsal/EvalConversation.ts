/** A conversation with an agent that was written beforehand, and what is expected of the agent. `docs/agents.md` describes it. */
import { Schema } from "effect"
import { JsonRecord } from "../../basics/Json.ts"

/** One text, or a list of them. */
export const Texts = Schema.Union([Schema.String, Schema.Array(Schema.String)])
export const textsOf = (some: typeof Texts.Type | undefined): ReadonlyArray<string> =>
  some === undefined ? [] : typeof some === "string" ? [some] : some

export const Expected = Schema.Struct({
  /** Words that the answer has, in any case. */
  contains: Schema.optionalKey(Texts),
  /** Words that it must not have. */
  not: Schema.optionalKey(Texts),
  /** What the answer says, in a sentence: a model judges it. */
  says: Schema.optionalKey(Texts),
  /** What `says` and the answer are grounded in. Beside it, the answers of tools count. */
  source: Schema.optionalKey(Schema.String),
  /** The tools that are called in the turn, in their order; of the arguments those that are named. An empty list: none. */
  tools: Schema.optionalKey(
    Schema.Array(Schema.Struct({ name: Schema.String, arguments: Schema.optionalKey(JsonRecord) }))
  ),
  /** `answered` by default where something is expected. `silent`: the agent says nothing. */
  outcome: Schema.optionalKey(Schema.Literals(["answered", "handed_over", "resolved", "silent"])),
  /** How many messages it sends; of an answer at least one, by default. */
  messages: Schema.optionalKey(Schema.Int)
})
export type Expected = typeof Expected.Type

/** What happens next in the conversation: exactly one of `contact`, `human`, `handBack`, `resolve`. */
export const EvalStep = Schema.Struct({
  /** What the contact writes; a list is a burst. */
  contact: Schema.optionalKey(Texts),
  /** How many hours ago the contact wrote it, as an import of history brings it. */
  hoursAgo: Schema.optionalKey(Schema.Number),
  /** A person takes over while the agent thinks about `contact`. */
  meanwhile: Schema.optionalKey(Schema.Literals(["human", "assign", "resolve"])),
  /** What a person writes. */
  human: Schema.optionalKey(Schema.String),
  /** The conversation is given back to the agent. */
  handBack: Schema.optionalKey(Schema.Literal(true)),
  resolve: Schema.optionalKey(Schema.Literal(true)),
  expect: Schema.optionalKey(Expected),
  /** What the agent said at that time, in a recorded conversation: it is shown beside what it says now. */
  before: Schema.optionalKey(Schema.Array(Schema.String))
})
export type EvalStep = typeof EvalStep.Type

/** The answers of tools, by name. Nothing outside is asked: a tool without an answer here fails. */
export const GivenAnswers = Schema.Record(Schema.String, Schema.Union([Schema.String, JsonRecord]))
export type GivenAnswers = typeof GivenAnswers.Type

export const EvalConversation = Schema.Struct({
  name: Schema.String,
  contact: Schema.optionalKey(
    Schema.Struct({ name: Schema.optionalKey(Schema.String), tags: Schema.optionalKey(Schema.Array(Schema.String)) })
  ),
  tools: Schema.optionalKey(GivenAnswers),
  turns: Schema.Array(EvalStep)
})
export type EvalConversation = typeof EvalConversation.Type

const acts = ["contact", "human", "handBack", "resolve"] as const

/** What is wrong with the steps of a conversation, as a sentence. */
export const stepsProblem = (steps: ReadonlyArray<Pick<EvalStep, (typeof acts)[number]>>): string | undefined =>
  steps.some((step) => acts.filter((act) => step[act] !== undefined).length !== 1)
    ? `a turn has exactly one of ${acts.join(", ")}.`
    : undefined
