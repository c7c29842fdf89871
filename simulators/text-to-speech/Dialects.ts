/** Shared by the simulated providers: a request is parsed into the words to say, or into a refusal in the provider's form. */
import { createHash } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { voices } from "../../src/domain/voice/agents/Voices.ts"

export type Provider = "sarvam" | "deepgram" | "elevenlabs"

export interface Order {
  readonly text: string
  /** BCP 47. */
  readonly language: string
  /** The provider's voice id. */
  readonly voice: string
  readonly contentType: string
}

export interface Refusal {
  readonly status: number
  readonly body: unknown
}

export interface Dialect {
  readonly provider: Provider
  readonly matches: (path: string) => boolean
  /** The key that the client sent, in the provider's own header. */
  readonly key: (request: IncomingMessage) => string | undefined
  readonly badKey: Refusal
  readonly read: (url: URL, body: Record<string, unknown>) => Order | Refusal
  /** Error body of a planned failure. */
  readonly failure: (status: number) => unknown
}

export const isRefusal = (it: Order | Refusal): it is Refusal => "status" in it

export const header = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === "string" ? value : undefined
}

export const languageOfScript = (text: string): string => {
  if (/\p{Script=Devanagari}/u.test(text)) return "hi-IN"
  return /\p{Script=Tamil}/u.test(text) ? "ta-IN" : "en-US"
}

/** The eSpeak variant for a provider's voice: always the same one, and of the voice's gender where that is known. */
export const variantOf = (voice: string): string => {
  const known = voices.find((it) => it.id === voice)
  const number = createHash("sha1").update(voice).digest()[0]
  return known?.gender === "female" ? `f${1 + (number % 5)}` : `m${1 + (number % 8)}`
}
