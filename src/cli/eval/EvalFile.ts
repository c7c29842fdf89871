/**
 * The file of an evaluation: conversations with an agent, and what is expected of it. YAML, so that people write it by hand. `docs/agents.md` describes it.
 */
import { Effect, Schema } from "effect"
import { parse } from "yaml"
import { JsonRecord } from "../../domain/basics/Json.ts"
import { NewTextAgent } from "../../domain/messaging/agents/TextAgentInput.ts"

/** One text, or a list of them. */
const Some = Schema.Union([Schema.String, Schema.Array(Schema.String)])
export const listed = (some: typeof Some.Type | undefined): ReadonlyArray<string> =>
  some === undefined ? [] : typeof some === "string" ? [some] : some

export const Expected = Schema.Struct({
  /** Words that the answer has, in any case. */
  contains: Schema.optionalKey(Some),
  /** Words that it must not have. */
  not: Schema.optionalKey(Some),
  /** What the answer says, in a sentence: a model judges it. */
  says: Schema.optionalKey(Some),
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
export const Step = Schema.Struct({
  /** What the contact writes; a list is a burst. */
  contact: Schema.optionalKey(Some),
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
export type Step = typeof Step.Type

/** The answers of tools, by name. Nothing outside is asked: a tool without an answer here fails. */
const ToolAnswers = Schema.Record(Schema.String, Schema.Union([Schema.String, JsonRecord]))

export const EvalConversation = Schema.Struct({
  name: Schema.String,
  contact: Schema.optionalKey(
    Schema.Struct({ name: Schema.optionalKey(Schema.String), tags: Schema.optionalKey(Schema.Array(Schema.String)) })
  ),
  tools: Schema.optionalKey(ToolAnswers),
  turns: Schema.Array(Step)
})
export type EvalConversation = typeof EvalConversation.Type

export const EvalFile = Schema.Struct({
  /** An agent of the database (`bot_…`), or the settings of one. */
  agent: Schema.Union([Schema.String, NewTextAgent]),
  /** The agent's organization, when it is one of the database. */
  organization: Schema.optionalKey(Schema.String),
  tools: Schema.optionalKey(ToolAnswers),
  conversations: Schema.Array(EvalConversation)
})
export type EvalFile = typeof EvalFile.Type

/** What is wrong with a file, as a sentence. */
export class InvalidEvalFile extends Schema.TaggedError<InvalidEvalFile>()("InvalidEvalFile", {
  message: Schema.String
}) {}

const decode = Schema.decodeUnknownEffect(EvalFile, { onExcessProperty: "error" })

const acts = ["contact", "human", "handBack", "resolve"] as const

/** Reads a file. Aliases are bounded, so that a small file cannot become a large one. */
export const readEvalFile = Effect.fnUntraced(function* (text: string) {
  const written: unknown = yield* Effect.try({
    try: () => parse(text, { maxAliasCount: 100 }),
    catch: (error) => new InvalidEvalFile({ message: `The file is no YAML: ${String(error)}` })
  })
  const file = yield* decode(written).pipe(
    Effect.mapError((error) => new InvalidEvalFile({ message: `The file is no evaluation: ${error.message}` }))
  )
  for (const { name, turns } of file.conversations)
    for (const step of turns)
      if (acts.filter((act) => step[act] !== undefined).length !== 1)
        return yield* new InvalidEvalFile({ message: `"${name}": a turn has exactly one of ${acts.join(", ")}.` })
  return file
})
