/** Reads a provider's error answer: the reason that its status stands for, and the sentence in its body. */

import type { SpeechError } from "../../domain/ai/providers/Speech.ts"
import { parsedJson } from "../../domain/basics/Json.ts"

/** Overload and server errors may pass; other statuses mean that the request, the key or the account is wrong. */
export const reasonOfStatus = (status: number): SpeechError["reason"] => {
  if (status === 408) return "timeout"
  return status === 429 || status >= 500 ? "unavailable" : "rejected"
}

/**
 * The sentence in an error body: Sarvam `error.message`, Deepgram `err_msg` or `message`, ElevenLabs `detail.message` or
 * `detail[0].msg`, else the start of the text.
 */
export const explain = (body: string): string => {
  const plain = body.trim().slice(0, 300) || "no explanation given"
  if (!body.trimStart().startsWith("{")) return plain
  return sentenceIn(parsedJson(body)) ?? plain
}

const sentenceIn = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  if (Array.isArray(value)) return sentenceIn(value[0])
  if (typeof value !== "object" || value === null) return undefined
  const fields = new Map<string, unknown>(Object.entries(value))
  for (const name of ["error", "err_msg", "detail", "message", "msg"]) {
    const found = sentenceIn(fields.get(name))
    if (found !== undefined) return found
  }
  return undefined
}
