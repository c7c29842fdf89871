/** Port: runs the handler of a tool, of whatever kind, for calls and for conversations. */
import { Context, type Effect, Schema } from "effect"
import type { ToolHandler } from "./Tool.ts"
import type { Arguments } from "./ToolArguments.ts"

/** For whom a tool runs. What is null is not known, or does not exist: a chat has no call. */
export interface ToolContext {
  readonly organizationId: string
  readonly agentId: string
  /** The knowledge bases that the agent may look things up in. */
  readonly knowledgeBases: ReadonlyArray<string>
  readonly contactId: string | null
  readonly conversationId: string | null
  readonly callId: string | null
  /** The same for every attempt of one tool call. */
  readonly idempotencyKey: string
}

/** A source of an answer. */
export const AnswerSource = Schema.Struct({
  knowledgeBaseId: Schema.String,
  sourceId: Schema.String,
  title: Schema.String,
  url: Schema.NullOr(Schema.String)
})
export type AnswerSource = typeof AnswerSource.Type

/** What the model gets. A failed tool is an answer, too. `result` is text (JSON where the tool gave JSON), at most 32 KB. */
export interface ToolAnswer {
  readonly outcome: "ok" | "error"
  readonly result: string
  /** Where the answer is from: shown to people of the organization, not told to the model. */
  readonly sources?: ReadonlyArray<AnswerSource>
  /**
   * More about it may be known later: the agent of a call is told then, by a notice (`CallNotices`). Also of a tool that may or may not have done its work:
   * what it would have told of later comes all the same.
   */
  readonly tellsLater?: boolean
}

export const toolFailed = (result: string): ToolAnswer => ({ outcome: "error", result })

export class ToolRunner extends Context.Service<
  ToolRunner,
  {
    /** It never fails: an error is an answer. Interrupting the effect cancels the tool. */
    readonly run: (handler: ToolHandler, input: Arguments, context: ToolContext) => Effect.Effect<ToolAnswer>
  }
>()("parley/domain/ToolRunner") {}
