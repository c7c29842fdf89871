/** The shape of a chat request and the provider's rules about it. */
import { z } from "zod"

const ToolCall = z.object({
  id: z.string().min(1),
  type: z.literal("function"),
  function: z.object({ name: z.string().min(1), arguments: z.string() })
})

export const Message = z.discriminatedUnion("role", [
  z.object({ role: z.literal("system"), content: z.string() }),
  z.object({ role: z.literal("user"), content: z.string() }),
  z
    .object({
      role: z.literal("assistant"),
      content: z.string().nullish(),
      tool_calls: z.array(ToolCall).min(1).optional()
    })
    .refine((message) => typeof message.content === "string" || message.tool_calls !== undefined, {
      message: "an assistant message needs content or tool_calls"
    }),
  z.object({ role: z.literal("tool"), tool_call_id: z.string().min(1), content: z.string() })
])
export type Message = z.infer<typeof Message>

export const ChatRequest = z.object({
  model: z.string().min(1),
  messages: z.array(Message).min(1),
  stream: z.boolean().optional(),
  stream_options: z.object({ include_usage: z.boolean().optional() }).nullish(),
  max_completion_tokens: z.number().int().positive().optional(),
  max_tokens: z.number().int().positive().optional(),
  reasoning_effort: z.enum(["low", "medium", "high"]).optional(),
  temperature: z.number().min(0).max(2).optional(),
  tools: z
    .array(
      z.object({
        type: z.literal("function"),
        function: z.object({
          name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
          description: z.string().optional(),
          parameters: z.record(z.string(), z.unknown()).optional()
        })
      })
    )
    .optional(),
  user: z.string().optional()
})
export type ChatRequest = z.infer<typeof ChatRequest>

/** The sentence of the provider's refusal; `undefined` when every tool call is answered once, right after it was made. */
export const brokenRule = (messages: ReadonlyArray<Message>): string | undefined => {
  let open = new Set<string>()
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") {
      if (!open.delete(message.tool_call_id)) {
        return `messages.[${index}].tool_call_id '${message.tool_call_id}' does not answer a preceding tool call`
      }
      continue
    }
    if (open.size > 0) {
      return `messages.[${index}]: tool_call_ids without a tool message: ${[...open].join(", ")}`
    }
    if (message.role === "assistant") open = new Set(message.tool_calls?.map((call) => call.id))
  }
  return open.size > 0 ? `tool_call_ids without a tool message: ${[...open].join(", ")}` : undefined
}
