/** Sarvam's socket protocol as its server speaks it: parameters, messages, errors. */

const languages = "unknown hi-IN bn-IN kn-IN ml-IN mr-IN od-IN pa-IN ta-IN te-IN en-IN gu-IN".split(" ")
const models = ["saarika:v2.5", "saaras:v2.5", "saaras:v3", "saaras:v4"]

export const languageError = (language: string): string | undefined =>
  languages.includes(language) ? undefined : `language_code: '${language}' is not supported`

export const modelError = (model = "saarika:v2.5"): string | undefined =>
  models.includes(model) ? undefined : `Model '${model}' not found`

/** Why the server refuses these query parameters; `undefined` when it accepts them. */
export const parameterError = (query: URLSearchParams): string | undefined => {
  const model = query.get("model") ?? "saarika:v2.5"
  const language = query.get("language-code")
  if (language === null) return "language-code: Field required"
  if (!languages.includes(language)) return `language-code: '${language}' is not supported`
  if (!models.includes(model)) return `Model '${model}' not found`
  if (query.has("mode") && !model.startsWith("saaras")) return `mode is not supported by ${model}`
  if (!["8000", "16000"].includes(query.get("sample_rate") ?? "16000")) return "sample_rate: must be 8000 or 16000"
  const codec = query.get("input_audio_codec") ?? "wav"
  if (!["wav", "pcm_s16le", "pcm_l16", "pcm_raw"].includes(codec))
    return `input_audio_codec: '${codec}' is not supported`
  for (const flag of ["vad_signals", "high_vad_sensitivity", "flush_signal"]) {
    if (!["true", "false"].includes(query.get(flag) ?? "false")) return `${flag}: must be true or false`
  }
  return undefined
}

/** The provider's error body, also of a refused upgrade. */
export const errorBody = (message: string, code: string) =>
  JSON.stringify({ error: { message, code, request_id: "20260101_simulated" } })

export const signalMessage = (signal: string, now: number) =>
  JSON.stringify({ type: "events", data: { signal_type: signal, occured_at: now / 1_000 } })

export const transcriptMessage = (id: number, transcript: string, language: string, samples: number, tookMs: number) =>
  JSON.stringify({
    type: "data",
    data: {
      request_id: `20260101_${id}`,
      transcript,
      timestamps: null,
      diarized_transcript: null,
      language_code: language,
      language_probability: null,
      metrics: { audio_duration: samples / 8_000, processing_latency: tookMs / 1_000 }
    }
  })

/** The three shapes in which errors were seen. */
export const errorMessages = (message: string, code: string): ReadonlyArray<string> => [
  JSON.stringify({ type: "error", data: { error: message, code } }),
  JSON.stringify({ type: "error", data: { message, code } }),
  JSON.stringify({ error: { message, code } })
]

export type ClientMessage =
  | { readonly _tag: "Audio"; readonly samples: Int16Array }
  | { readonly _tag: "Flush" }
  | { readonly _tag: "Config" }
  | { readonly _tag: "Wrong"; readonly message: string }

/** Parses a client's message. Samples always count as 8 kHz; 16 kHz streams are not simulated. */
export const parseClientMessage = (raw: string): ClientMessage => {
  let message: { type?: unknown; audio?: { data?: unknown; encoding?: unknown; sample_rate?: unknown } }
  try {
    message = JSON.parse(raw)
  } catch {
    return { _tag: "Wrong", message: "Invalid JSON" }
  }
  if (message?.type === "flush") return { _tag: "Flush" }
  if (message?.type === "config") return { _tag: "Config" }
  const { data, encoding, sample_rate: rate } = message?.audio ?? {}
  if (typeof data !== "string") return { _tag: "Wrong", message: "audio.data : Field required" }
  if (encoding !== "audio/wav") return { _tag: "Wrong", message: "audio.encoding : must be audio/wav" }
  if (Number(rate) !== 8_000) return { _tag: "Wrong", message: "audio.sample_rate does not match the stream" }
  const bytes = Buffer.from(data, "base64")
  if (bytes.length % 2 !== 0) return { _tag: "Wrong", message: "Failed to read the audio" }
  const samples = new Int16Array(bytes.length / 2)
  for (let i = 0; i < samples.length; i++) samples[i] = bytes.readInt16LE(2 * i)
  return { _tag: "Audio", samples }
}
