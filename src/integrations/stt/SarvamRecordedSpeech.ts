/**
 * Transcribes recordings by Sarvam's REST interface. The socket of the calls would do it, too, but takes one of the account's few connections from a caller for
 * as long as the recording lasts, and hears 8 kHz.
 */
import { randomUUID } from "node:crypto"
import { Effect, Layer, Redacted, Schema } from "effect"
import type { SpeechError } from "../../domain/ai/providers/Speech.ts"
import { recordedRate } from "../../domain/ai/providers/VoiceNoteLimits.ts"
import { RecordedSpeech } from "../../domain/ai/providers/VoiceNotes.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { encodeWav } from "../../domain/basics/Wav.ts"
import * as Connections from "../connections/Connections.ts"
import { makeCircuit } from "../resilience/Circuit.ts"
import { endpoint } from "../web/BaseUrl.ts"
import { sarvamError } from "./SarvamSocket.ts"

export interface SarvamRecordedSpeechOptions {
  /** `https://api.sarvam.ai`; `ws(s)` is taken as `http(s)`. */
  readonly baseUrl: string
  readonly key: Redacted.Redacted<string> | undefined
  /** The locked model name, as usage is reported. */
  readonly model: string
  /** Locked model name → the provider's current name. */
  readonly models?: Readonly<Record<string, string>>
  /** Milliseconds for one piece. */
  readonly timeoutMs?: number
}

const Answer = Schema.fromJsonString(Schema.Struct({ transcript: Schema.String }))
const decodeAnswer = Schema.decodeUnknownEffect(Answer)
const Refusal = Schema.fromJsonString(Schema.Struct({ error: Schema.Struct({ message: Schema.String }) }))
const decodeRefusal = Schema.decodeUnknownEffect(Refusal)

/** A form with one file and the fields. */
const form = (file: Uint8Array, fields: Readonly<Record<string, string>>) => {
  const boundary = `parley-${randomUUID()}`
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  )
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="speech.wav"\r\ncontent-type: audio/wav\r\n\r\n`
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(texts.join("") + head), file, Buffer.from(`\r\n--${boundary}--\r\n`)])
  }
}

const request = traced("Sarvam.transcribe")(function* (
  connections: Connections.Connections["Service"],
  options: SarvamRecordedSpeechOptions,
  samples: Int16Array
) {
  const { baseUrl, key, model, models, timeoutMs = 20_000 } = options
  if (key === undefined || Redacted.value(key) === "")
    return yield* sarvamError("rejected", "The service has no key for speech-to-text.")
  const { contentType, body } = form(encodeWav([samples], recordedRate), {
    model: models?.[model] ?? model,
    // Contacts speak whatever language they like.
    language_code: "unknown"
  })
  const { status, text } = yield* connections
    .ask({
      url: endpoint(baseUrl.replace(/^ws/, "http"), "/speech-to-text"),
      headers: { "api-subscription-key": Redacted.value(key), "content-type": contentType },
      body,
      timeoutMs
    })
    .pipe(
      Effect.mapError((error) =>
        error._tag === "AnswerLate"
          ? sarvamError("timeout", `no transcript within ${timeoutMs} ms`)
          : sarvamError("unavailable", error.message)
      )
    )
  if (status === 200)
    return yield* decodeAnswer(text).pipe(
      Effect.map(({ transcript }) => transcript.trim()),
      Effect.mapError(() => sarvamError("protocol", "the answer is no transcript"))
    )
  if (status === 429 || status >= 500) return yield* sarvamError("unavailable", `status ${status}`)
  const said = yield* Effect.option(decodeRefusal(text))
  return yield* sarvamError("rejected", said._tag === "Some" ? said.value.error.message : `status ${status}`)
})

const make = Effect.fnUntraced(function* (options: SarvamRecordedSpeechOptions) {
  const connections = yield* Connections.Connections
  const circuit = yield* makeCircuit<SpeechError>({
    provider: "speech-to-text/sarvam-rest",
    reasonOf: ({ reason }) => reason,
    refuse: (message) => sarvamError("unavailable", message)
  })
  return RecordedSpeech.of({
    model: options.model,
    transcribe: (samples) => circuit.guard(request(connections, options, samples))
  })
})

/** `RecordedSpeech` by Sarvam; needs nothing but the options. */
export const layer = (options: SarvamRecordedSpeechOptions): Layer.Layer<RecordedSpeech> =>
  Layer.effect(RecordedSpeech, make(options)).pipe(Layer.provide(Connections.layer))
