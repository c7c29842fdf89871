/** Port of the large language model: it takes a chat, and gives a stream of text and tool calls. */
import { Context, Schema, type Stream } from "effect"
import type { ModelTool } from "../tools/Tool.ts"

export class ReasoningError extends Schema.TaggedError<ReasoningError>()("ReasoningError", {
  reason: Schema.Literals(["unavailable", "timeout", "rejected", "rate_limited", "protocol"]),
  message: Schema.String
}) {}

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** The arguments as the model wrote them: JSON text, not yet validated. */
  readonly arguments: string
}

export type ChatMessage =
  | { readonly role: "system"; readonly content: string }
  | {
      readonly role: "user"
      readonly content: string
      /** Pictures that belong to the words, as `data:` addresses. A request with pictures goes to the models that take them. */
      readonly pictures?: ReadonlyArray<string>
    }
  | { readonly role: "assistant"; readonly content: string; readonly toolCalls?: ReadonlyArray<ToolCall> }
  | { readonly role: "tool"; readonly toolCallId: string; readonly content: string }

/** The most requests to models that may fail in one turn of the caller. */
const mostFailures = 8

/**
 * The requests that may still fail for one turn of the caller, over all models and everything the turn asks them: the answer, an answer on a guess, the
 * rest of one that broke off, one more without tools. A request that is answered, or that the caller interrupts, does not count.
 */
export class Attempts {
  left = mostFailures

  get failed(): number {
    return mostFailures - this.left
  }
}

export interface ReasoningRequest {
  readonly messages: ReadonlyArray<ChatMessage>
  readonly tools: ReadonlyArray<ModelTool>
  /** An opaque organization id, sent as the provider's `user`. */
  readonly user: string
  /** Shared by all requests of one turn. Without it the request has attempts of its own. */
  readonly attempts?: Attempts
  /**
   * Whether the words that came since the last event are enough for one; they are held back otherwise, with those that follow. It is asked for each
   * piece of the answer. Without it all words are given out as they come.
   */
  readonly enough?: (words: string) => boolean
}

/** What a request cost, in tokens. */
export interface TokenUsage {
  readonly model: string
  readonly inputTokens: number
  readonly outputTokens: number
}

export type ReasoningEvent =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "ToolCall"; readonly call: ToolCall }
  /** `usage` is absent when the provider does not tell it. */
  | { readonly _tag: "End"; readonly finishReason: string; readonly usage?: TokenUsage }

/** `stream` always ends with one `End`, or fails. Interrupting it aborts the request. */
export class Reasoning extends Context.Service<
  Reasoning,
  { readonly stream: (request: ReasoningRequest) => Stream.Stream<ReasoningEvent, ReasoningError> }
>()("parley/domain/Reasoning") {}
