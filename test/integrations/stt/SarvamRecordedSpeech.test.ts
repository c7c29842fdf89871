/** Recordings are transcribed over the provider's REST interface, and its refusals say whether another attempt may help. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as SpeechToText from "../../../simulators/speech-to-text/SpeechToText.ts"
import { speak } from "../../../simulators/voice/Voice.ts"
import { RecordedSpeech } from "../../../src/domain/ai/providers/VoiceNotes.ts"
import * as SarvamRecordedSpeech from "../../../src/integrations/stt/SarvamRecordedSpeech.ts"

const said = "Is my order two zero four one ready for pickup today?"

const stage = Effect.gen(function* () {
  const spoken = yield* Effect.promise(() => speak(said, "en-US"))
  const provider = yield* Effect.acquireRelease(
    Effect.promise(() => SpeechToText.start({ bank: [spoken], apiKey: "key" })),
    ({ close }) => Effect.promise(close)
  )
  const samples = Int16Array.from({ length: 2 * spoken.samples.length }, (_, at) => spoken.samples[at >> 1])
  const ask = (piece: Int16Array, options: Partial<SarvamRecordedSpeech.SarvamRecordedSpeechOptions> = {}) =>
    Effect.flatMap(RecordedSpeech, (speech) => speech.transcribe(piece)).pipe(
      Effect.provide(
        SarvamRecordedSpeech.layer({
          // The setting may name the socket's address.
          baseUrl: provider.wsUrl,
          key: Redacted.make("key"),
          model: "saarika:v2.5",
          timeoutMs: 5_000,
          ...options
        })
      )
    )
  const problem = (...given: Parameters<typeof ask>) =>
    Effect.map(Effect.flip(ask(...given)), ({ reason, message }) => `${reason}: ${message}`)
  return { provider, samples, ask, problem }
})

describe("speech-to-text of recordings", () => {
  it.live("gives the words, and nothing for a recording without any", () =>
    Effect.gen(function* () {
      const { ask, samples, provider } = yield* stage
      assert.strictEqual(yield* ask(samples), said)
      assert.strictEqual(yield* ask(samples, { models: { "saarika:v2.5": "saaras:v3" } }), said)
      assert.strictEqual(yield* ask(new Int16Array(16_000)), "")
      assert.strictEqual(provider.stats.recordings, 3)
      assert.strictEqual(provider.stats.connections, 0)
    }).pipe(Effect.scoped)
  )

  it.live("tells a refusal from an outage", () =>
    Effect.gen(function* () {
      const { problem, samples, provider } = yield* stage
      assert.match(yield* problem(samples, { key: undefined }), /rejected: The service has no key/)
      assert.match(yield* problem(samples, { key: Redacted.make("wrong") }), /rejected: Invalid or missing API key/)
      assert.match(yield* problem(samples, { model: "unknown:v1" }), /rejected: Model 'unknown:v1' not found/)
      assert.match(yield* problem(new Int16Array(31 * 16_000)), /rejected: Audio duration exceeds/)
      provider.faults.failRecordings = 2
      provider.faults.status = 429
      assert.match(yield* problem(samples), /unavailable: status 429/)
      provider.faults.status = 0
      assert.match(yield* problem(samples), /unavailable: connection lost/)
      provider.faults.hang = true
      assert.match(yield* problem(samples, { timeoutMs: 200 }), /timeout: no transcript within 200 ms/)
    }).pipe(Effect.scoped)
  )
})
