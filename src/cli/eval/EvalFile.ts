/**
 * The file of an evaluation: conversations with an agent, and what is expected of it. YAML, so that people write it by hand. `docs/agents.md` describes it.
 */
import { Effect, Schema } from "effect"
import { parse } from "yaml"
import { NewTextAgent } from "../../domain/messaging/agents/TextAgentInput.ts"
import { EvalConversation, GivenAnswers, stepsProblem } from "../../domain/messaging/rehearsal/EvalConversation.ts"

export const EvalFile = Schema.Struct({
  /** An agent of the database (`bot_…`), or the settings of one. */
  agent: Schema.Union([Schema.String, NewTextAgent]),
  /** The agent's organization, when it is one of the database. */
  organization: Schema.optionalKey(Schema.String),
  tools: Schema.optionalKey(GivenAnswers),
  conversations: Schema.Array(EvalConversation)
})
export type EvalFile = typeof EvalFile.Type

/** What is wrong with a file, as a sentence. */
export class InvalidEvalFile extends Schema.TaggedError<InvalidEvalFile>()("InvalidEvalFile", {
  message: Schema.String
}) {}

const decode = Schema.decodeUnknownEffect(EvalFile, { onExcessProperty: "error" })

/** Reads a file. Aliases are bounded, so that a small file cannot become a large one. */
export const readEvalFile = Effect.fnUntraced(function* (text: string) {
  const written: unknown = yield* Effect.try({
    try: () => parse(text, { maxAliasCount: 100 }),
    catch: (error) => new InvalidEvalFile({ message: `The file is no YAML: ${String(error)}` })
  })
  const file = yield* decode(written).pipe(
    Effect.mapError((error) => new InvalidEvalFile({ message: `The file is no evaluation: ${error.message}` }))
  )
  for (const { name, turns } of file.conversations) {
    const problem = stepsProblem(turns)
    if (problem !== undefined) return yield* new InvalidEvalFile({ message: `"${name}": ${problem}` })
  }
  return file
})
