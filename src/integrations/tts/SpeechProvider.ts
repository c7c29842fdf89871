/** The interface of a text-to-speech provider for the router, and what the providers share. */
import { Effect, Redacted, type Stream } from "effect"
import { SpeechError, type SpeechRequest, type VoiceFamily } from "../../domain/ai/providers/Speech.ts"
import { findVoice } from "../../domain/voice/agents/Voices.ts"

export interface SpeechProviderOptions {
  /** e.g. `https://api.sarvam.ai`. */
  readonly baseUrl: string
  readonly key: Redacted.Redacted<string> | undefined
  /** Locked model name → the provider's current name. Names not in it are sent as they are. */
  readonly models?: Readonly<Record<string, string>>
  /** Our voice id → the provider's. Names not in it are sent as they are. */
  readonly voices?: Readonly<Record<string, string>>
}

export interface SpeechProvider {
  readonly synthesize: (request: SpeechRequest) => Stream.Stream<Uint8Array, SpeechError>
  readonly validate: (request: Omit<SpeechRequest, "text">) => Effect.Effect<void, SpeechError>
}

export const rejected = (provider: string, message: string) =>
  new SpeechError({ provider, reason: "rejected", message })

/** The key. Fails with the message that operators look for when a call stays silent. */
export const keyOf = (provider: string, options: SpeechProviderOptions): Effect.Effect<string, SpeechError> => {
  const key = options.key === undefined ? "" : Redacted.value(options.key)
  return key === ""
    ? Effect.fail(rejected(provider, `${provider} text-to-speech key missing on the engine`))
    : Effect.succeed(key)
}

/** Fails with the complaint; succeeds when there is none. */
export const check = (provider: string, complaint: string | undefined): Effect.Effect<void, SpeechError> =>
  complaint === undefined ? Effect.void : Effect.fail(rejected(provider, complaint))

const familyNames: Record<VoiceFamily, string> = { indic: "Indic", english: "English", premium: "premium" }

/** What the catalogue says is wrong with a voice and a language, as a sentence; `undefined` when nothing is. */
export const voiceComplaint = (family: VoiceFamily, voiceId: string, language: string): string | undefined => {
  const voice = findVoice(family, voiceId)
  if (voice === undefined) return `The ${familyNames[family]} voice provider has no voice "${voiceId}"`
  if (voice.languages.includes(language)) return undefined
  return `The voice "${voiceId}" of the ${familyNames[family]} voice provider does not speak ${language}`
}
