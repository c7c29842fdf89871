/** One request to the model whose answer is used as a whole, and what it cost. */
import { Effect, Stream } from "effect"
import type { ModelTool } from "../tools/Tool.ts"
import { type Attempts, type ChatMessage, Reasoning, type TokenUsage, type ToolCall } from "./Reasoning.ts"

/** The tokens of a text, roughly: models count some four bytes as one. */
export const roughTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)

/** The tokens of a picture, roughly. */
const pictureTokens = 1_000

const picturesIn = (messages: ReadonlyArray<ChatMessage>): number =>
  messages.reduce((sum, one) => sum + pictureTokens * (one.role === "user" ? (one.pictures?.length ?? 0) : 0), 0)

const words = (message: ChatMessage): ChatMessage =>
  message.role === "user" ? { role: "user", content: message.content } : message

export interface ModelAnswer {
  readonly text: string
  readonly calls: ReadonlyArray<ToolCall>
}

/** The model of requests whose cost the provider did not tell, because they were interrupted: their tokens are an estimate. */
export const unknownModel = "unknown"

/** Needs Reasoning once. `spend` gets the tokens of the request, also when it fails or is interrupted. */
export const makeAskModel = Effect.map(Reasoning, (reasoning) =>
  Effect.fnUntraced(function* (
    request: {
      readonly messages: ReadonlyArray<ChatMessage>
      readonly tools: ReadonlyArray<ModelTool>
      readonly user: string
      readonly attempts?: Attempts
    },
    spend: (usage: TokenUsage) => void
  ) {
    let text = ""
    const calls: Array<ToolCall> = []
    let usage: TokenUsage | undefined
    const estimate = (): TokenUsage => ({
      model: unknownModel,
      inputTokens:
        roughTokens(JSON.stringify([request.messages.map(words), request.tools])) + picturesIn(request.messages),
      outputTokens: roughTokens(text)
    })
    yield* reasoning.stream(request).pipe(
      Stream.runForEach((event) =>
        Effect.sync(() => {
          if (event._tag === "Text") text += event.text
          else if (event._tag === "ToolCall") calls.push(event.call)
          else usage = event.usage
        })
      ),
      Effect.ensuring(Effect.sync(() => spend(usage ?? estimate())))
    )
    const answer: ModelAnswer = { text, calls }
    return answer
  })
)
