/** The chunks of a chat completion and its errors, checked before they are believed; tool calls are put together from their pieces. */
import { Option, Schema } from "effect"
import type { ToolCall } from "../../domain/ai/providers/Reasoning.ts"
import { maybe } from "../web/Maybe.ts"

const ErrorBody = Schema.Struct({
  error: Schema.Struct({
    message: Schema.optionalKey(Schema.Unknown),
    type: Schema.optionalKey(Schema.Unknown),
    code: maybe(Schema.Union([Schema.String, Schema.Finite]))
  })
})
const decodeError = Schema.decodeUnknownOption(ErrorBody)

export interface CompletionError {
  /** The code; the type when there is no code; undefined when there is neither. */
  readonly code: string | undefined
  readonly message: string
}

/** The error that a provider's document reports, undefined when it reports none. `document` is parsed JSON. */
export const errorIn = (document: unknown): CompletionError | undefined => {
  const body = decodeError(document)
  if (Option.isNone(body)) return undefined
  const { message, type, code } = body.value.error
  return {
    code: code == null ? (typeof type === "string" ? type : undefined) : String(code),
    message: typeof message === "string" ? message : "no message"
  }
}

const ToolCallDelta = Schema.Struct({
  index: Schema.Natural,
  id: maybe(Schema.String),
  function: maybe(Schema.Struct({ name: maybe(Schema.String), arguments: maybe(Schema.String) }))
})

/** `choices` is empty in the chunk that reports usage. Other fields (reasoning, fingerprints) are ignored. */
const Chunk = Schema.Struct({
  choices: Schema.Array(
    Schema.Struct({
      delta: maybe(Schema.Struct({ content: maybe(Schema.String), tool_calls: maybe(Schema.Array(ToolCallDelta)) })),
      finish_reason: maybe(Schema.String)
    })
  )
})

const Usage = Schema.Struct({
  usage: Schema.Struct({ prompt_tokens: Schema.Natural, completion_tokens: Schema.Natural })
})
const decodeUsage = Schema.decodeUnknownOption(Usage)

/** The tokens that a chunk reports; undefined when it reports none. Usually the last chunk does. */
export const usageIn = (chunk: object): { readonly inputTokens: number; readonly outputTokens: number } | undefined => {
  if (!("usage" in chunk) || chunk.usage === null) return undefined
  const found = decodeUsage(chunk)
  if (Option.isNone(found)) return undefined
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = found.value.usage
  return { inputTokens, outputTokens }
}

/** True when parsed JSON is a chunk. This runs for every token: nothing in a chunk is transformed, so it is checked and not copied. */
export const isChunk = Schema.is(Chunk)

/** Gathers tool calls: the first piece of an index brings the id and the name; the arguments come in any number of pieces. */
export class ToolCallParts {
  readonly #parts = new Map<number, { id: string; name: string; arguments: string }>()

  add(delta: typeof ToolCallDelta.Type): void {
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
