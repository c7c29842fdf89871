import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { start } from "../../../../simulators/speech-to-text/SpeechToText.ts"
import { type Spoken, speak } from "../../../../simulators/voice/Voice.ts"
import { transcribe } from "../../../../src/actors/voice/voicemail/Transcription.ts"
import { layer } from "../../../../src/integrations/stt/SarvamSpeechToText.ts"
import { eventually } from "../../../support/eventually.ts"

const options = { model: "saarika:v2.5", language: "en-US" }
const secondSamples = 8_000

/** Phrases with a second of silence before, between and after them. */
const recordingOf = (phrases: ReadonlyArray<Spoken>): Int16Array => {
  const pause = new Int16Array(secondSamples)
  const parts = [pause, ...phrases.flatMap(({ samples }) => [samples, pause])]
  return Int16Array.from(parts.flatMap((part) => [...part]))
}

describe("a voicemail", () => {
  let known: ReadonlyArray<Spoken> = []
  beforeAll(async () => {
    known = await Promise.all([speak("Where is my order?", "en-US"), speak("Please call me back.", "en-US")])
  })
  const simulator = Effect.acquireRelease(
    Effect.promise(() => start({ bank: known })),
    (it) => Effect.promise(() => it.close())
  )
  const written = (url: string, phrases: ReadonlyArray<Spoken>) =>
    Effect.map(
      Effect.provide(transcribe(recordingOf(phrases), options), layer({ baseUrl: url, key: Redacted.make("secret") })),
      (said) => said.map(({ text }) => text)
    )

  it.live("is transcribed phrase by phrase, even when a stream returns nothing for the first one", () =>
    Effect.gen(function* () {
      const { wsUrl, faults, stats } = yield* simulator
      faults.silent = true
      const writing = yield* Effect.forkChild(written(wsUrl, known))
      yield* eventually("another stream is asked", () => stats.connections === 2)
      faults.silent = false
      assert.deepEqual(yield* Fiber.join(writing), ["Where is my order?", "Please call me back."])
      assert.strictEqual(stats.connections, 2)
    }).pipe(Effect.scoped)
  )

  it.live("has no words when no stream hears any", () =>
    Effect.gen(function* () {
      const { wsUrl, faults, stats } = yield* simulator
      faults.silent = true
      assert.deepEqual(yield* written(wsUrl, known.slice(0, 1)), [])
      assert.strictEqual(stats.connections, 2)
    }).pipe(Effect.scoped)
  )
})
