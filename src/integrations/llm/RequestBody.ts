/** Builds the request body of the OpenAI-compatible interface from our chat messages. */
import type { ChatMessage, ReasoningRequest } from "../../domain/ai/providers/Reasoning.ts"

export interface Sampling {
  readonly model: string
  readonly maxTokens: number
  readonly temperature: number
}

const message = (entry: ChatMessage) => {
  if (entry.role === "tool") return { role: "tool", tool_call_id: entry.toolCallId, content: entry.content }
  if (entry.role === "user" && entry.pictures !== undefined && entry.pictures.length > 0)
    return {
      role: "user",
      content: [
        { type: "text", text: entry.content },
        ...entry.pictures.map((url) => ({ type: "image_url", image_url: { url } }))
      ]
    }
  if (entry.role !== "assistant" || !entry.toolCalls?.length) return { role: entry.role, content: entry.content }
  return {
    role: "assistant",
    content: entry.content === "" ? null : entry.content,
    tool_calls: entry.toolCalls.map((call) => ({
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: call.arguments }
    }))
  }
}

/**
 * Whether the model takes a reasoning effort. These models reason before they answer, longer than a caller can wait, and the reasoning counts as part
 * of the answer. Other models refuse the field.
 */
const takesEffort = (model: string): boolean => model.includes("gpt-oss")

/** The JSON body of one streamed completion. Without `withTools` the model can only answer in words. */
export const requestBody = (request: ReasoningRequest, sampling: Sampling, withTools: boolean): string =>
  JSON.stringify({
    model: sampling.model,
    messages: request.messages.map(message),
    stream: true,
    stream_options: { include_usage: true },
    max_completion_tokens: sampling.maxTokens,
    temperature: sampling.temperature,
    ...(takesEffort(sampling.model) ? { reasoning_effort: "low" } : {}),
    user: request.user,
    ...(withTools && request.tools.length > 0
      ? {
          tools: request.tools.map(({ name, description, parameters }) => ({
            type: "function",
            function: { name, description, parameters }
          })),
          tool_choice: "auto",
          parallel_tool_calls: false
        }
      : {})
  })
