/** Parses the messages of the Sarvam speech-to-text socket, so that no message can break a call. */
import { Predicate } from "effect"
import type { Transcript } from "../../domain/ai/providers/Speech.ts"
import { parsedJson } from "../../domain/basics/Json.ts"

export type SarvamMessage =
  | { readonly _tag: "Transcript"; readonly transcript: Extract<Transcript, { _tag: "Final" }> }
  | { readonly _tag: "Signal"; readonly signal: string }
  | { readonly _tag: "Error"; readonly message: string; readonly code: string }
  | { readonly _tag: "Unreadable" }

const unreadable: SarvamMessage = { _tag: "Unreadable" }

const text = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  return typeof value === "number" ? String(value) : undefined
}

/** Reads an error in each observed shape: `data.error`, `data.message`, or `error.message` at the top, with the code beside or inside. */
const errorOf = (message: Record<string, unknown>): SarvamMessage => {
  const data = Predicate.isObject(message.data) ? message.data : {}
  const candidates = [data.error, data.message, data, message.error, message.message]
  for (const candidate of candidates) {
    const found = Predicate.isObject(candidate) ? text(candidate.message) : text(candidate)
    if (found === undefined) continue
    const inner = Predicate.isObject(candidate) ? candidate : {}
    return { _tag: "Error", message: found, code: text(inner.code) ?? text(data.code) ?? text(message.code) ?? "" }
  }
  return { _tag: "Error", message: "no explanation given", code: text(data.code) ?? "" }
}

/** Never throws: anything that is not a known message is `Unreadable`. */
export const parseSarvamMessage = (raw: string): SarvamMessage => {
  const message = parsedJson(raw)
  if (!Predicate.isObject(message)) return unreadable
  if (message.type === "error" || Predicate.isObject(message.error) || typeof message.error === "string")
    return errorOf(message)
  if (!Predicate.isObject(message.data)) return unreadable
  if (message.type === "events") {
    const signal = text(message.data.signal_type)
    return signal === undefined ? unreadable : { _tag: "Signal", signal }
  }
  if (message.type !== "data" || typeof message.data.transcript !== "string") return unreadable
  const language = message.data.language_code
  return {
    _tag: "Transcript",
    transcript: {
      _tag: "Final",
      text: message.data.transcript.trim(),
      language: typeof language === "string" && language !== "" ? language : undefined
    }
  }
}
