/** Use case: ask a text agent, also with changes that are not saved, without a conversation. */
import { Effect, Schema } from "effect"
import { AnswerSource } from "../../ai/tools/ToolRunner.ts"
import { JsonRecord } from "../../basics/Json.ts"
import { lines, oneLine, plainText } from "../../basics/PlainText.ts"
import { traced } from "../../basics/Traced.ts"
import { makeSaveTextAgent } from "../agents/SaveTextAgent.ts"
import { TextAgentChanges } from "../agents/TextAgentInput.ts"
import { MessageType } from "../conversations/Message.ts"
import { GivenAnswers } from "./EvalConversation.ts"
import { TurnRehearsal } from "./TurnRehearsal.ts"

const TriedMessage = Schema.Struct({
  /** `person`: a colleague. */
  from: Schema.Literals(["contact", "agent", "person"]),
  text: lines(4_096)
})

export const TextAgentTry = Schema.Struct({
  /** What was said so far, oldest first. The last one is the contact's. */
  messages: Schema.Array(TriedMessage).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(60),
    Schema.makeFilter((all) => all.at(-1)?.from === "contact" || "must end with a message of the contact.")
  ),
  /** Who asks. Default: nobody is known. */
  contact: Schema.optionalKey(
    Schema.Struct({
      name: Schema.optionalKey(oneLine(200)),
      tags: Schema.optionalKey(Schema.Array(plainText(64)).check(Schema.isMaxLength(20)))
    })
  ),
  /** Changes of the agent that apply to this answer only. */
  draft: Schema.optionalKey(TextAgentChanges),
  /** Default: true. */
  runTools: Schema.optionalKey(Schema.Boolean),
  /** What tools answer, by their names: these are not run. */
  toolAnswers: Schema.optionalKey(GivenAnswers)
}).annotate({
  title: "TextAgentTry",
  examples: [{ messages: [{ from: "contact", text: "Do you have The Overstory?" }], runTools: false }]
})
export type TextAgentTry = typeof TextAgentTry.Type

export const TextAgentAnswer = Schema.Struct({
  /** `failed`: the model or the content filter did not answer; a conversation would try again. */
  outcome: Schema.Literals(["answered", "handed_over", "resolved", "failed"]),
  /** What the contact would get. */
  messages: Schema.Array(
    Schema.Struct({
      type: MessageType,
      content: JsonRecord,
      sources: Schema.optionalKey(Schema.Array(AnswerSource))
    })
  ),
  /** The tools that the model called, in their order. */
  tools: Schema.Array(Schema.Struct({ name: Schema.String, arguments: Schema.String, result: Schema.String })),
  /** Why it was handed over, or failed. */
  reason: Schema.NullOr(Schema.String),
  /** The internal note that a colleague would read. */
  note: Schema.NullOr(Schema.String)
}).annotate({
  title: "TextAgentAnswer",
  examples: [
    {
      outcome: "answered",
      messages: [{ type: "text", content: { text: "I am an AI assistant.\n\nYes, we have it for 18 dollars." } }],
      tools: [
        { name: "search_knowledge", arguments: '{"query":"The Overstory"}', result: "[1] Books\nThe Overstory, $18" }
      ],
      reason: null,
      note: null
    }
  ]
})
export type TextAgentAnswer = typeof TextAgentAnswer.Type

/** Needs what `SaveTextAgent` needs, and TurnRehearsal. The function it gives fails as a draft of `SaveTextAgent` does. */
export const makeTryTextAgent = Effect.gen(function* () {
  const { draft } = yield* makeSaveTextAgent
  const rehearsal = yield* TurnRehearsal

  return traced("TryTextAgent.try")(function* (
    organizationId: string,
    id: string,
    { messages, contact, draft: changes = {}, runTools = true, toolAnswers = {} }: TextAgentTry
  ) {
    const agent = yield* draft(organizationId, id, changes)
    const { kind, said, tools, reason, note } = yield* rehearsal.answer({
      agent,
      contact: { name: contact?.name ?? null, tags: contact?.tags ?? [] },
      lines: messages,
      answers: toolAnswers,
      runsTools: runTools,
      failures: 0
    })
    return { outcome: kind, messages: said, tools, reason, note } satisfies TextAgentAnswer
  })
})
