/** What a chat completion sends back, checked before it is believed, and the tool calls put together from their pieces. */
import { z } from "zod"
import type { ToolCall } from "../../domain/ai/providers/Reasoning.ts"

export const ErrorBody = z.object({
  error: z.object({
    message: z.string().catch("no message"),
    type: z.string().nullish().catch(null),
    code: z
      .union([z.string(), z.number()])
      .nullish()
      .transform((code) => (code == null ? undefined : String(code)))
  })
})

const ToolCallDelta = z.object({
  index: z.number().int().nonnegative(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish()
})

/** `choices` is empty in the usage chunk. Other fields (usage, reasoning, fingerprints) are not ours to speak. */
export const Chunk = z.object({
  choices: z.array(
    z.object({
      delta: z.object({ content: z.string().nullish(), tool_calls: z.array(ToolCallDelta).nullish() }).nullish(),
      finish_reason: z.string().nullish()
    })
  )
})
export type Chunk = z.infer<typeof Chunk>

/** Gathers tool calls: the first piece of an index brings id and name, the arguments come in any number of pieces. */
export class ToolCallParts {
  readonly #parts = new Map<number, { id: string; name: string; arguments: string }>()

  add(delta: z.infer<typeof ToolCallDelta>): void {
    const part = this.#parts.get(delta.index) ?? { id: "", name: "", arguments: "" }
    this.#parts.set(delta.index, {
      id: part.id || (delta.id ?? ""),
      name: part.name || (delta.function?.name ?? ""),
      arguments: part.arguments + (delta.function?.arguments ?? "")
    })
  }

  /** The finished calls in index order; `undefined` when one never got its id or its name. */
  finish(): ReadonlyArray<ToolCall> | undefined {
    const calls = [...this.#parts].sort(([a], [b]) => a - b).map(([, part]) => part)
    if (calls.some((call) => call.id === "" || call.name === "")) return undefined
    return calls.map((call) => ({ ...call, arguments: call.arguments || "{}" }))
  }
}
