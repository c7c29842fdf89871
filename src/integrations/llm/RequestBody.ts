/** Our chat in the words of the OpenAI-compatible interface. */
import type { ChatMessage, ReasoningRequest } from "../../domain/ai/providers/Reasoning.ts"

export interface Sampling {
  readonly model: string
  readonly maxTokens: number
  readonly temperature: number
}

const message = (entry: ChatMessage) => {
  if (entry.role === "tool") return { role: "tool", tool_call_id: entry.toolCallId, content: entry.content }
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

/** These think before they speak, more than a caller on the telephone can wait for; what they think counts as part of the answer. Others refuse to be told how much. */
const takesEffort = (model: string): boolean => model.includes("gpt-oss")

/** The JSON body of one streamed completion; without `withTools` the model can only answer in words. */
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
