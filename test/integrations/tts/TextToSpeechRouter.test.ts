import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Redacted, Schedule, Stream } from "effect"
import { listen } from "../../../simulators/support/Loopback.ts"
import { type TextToSpeechOptions as SimulatorOptions, start } from "../../../simulators/text-to-speech/TextToSpeech.ts"
import { type SpeechError, type SpeechRequest, TextToSpeech } from "../../../src/domain/ai/providers/Speech.ts"
import { layer, type TextToSpeechOptions } from "../../../src/integrations/tts/TextToSpeechRouter.ts"
import { eventually } from "../../support/eventually.ts"

const requests: ReadonlyArray<SpeechRequest> = [
  { text: "नमस्ते, कैसे मदद करूँ?", family: "indic", voiceId: "anushka", model: "bulbul:v2", language: "hi-IN" },
  {
    text: "Sure, one moment.",
    family: "english",
    voiceId: "aura-2-thalia-en",
    model: "aura-2-thalia-en",
    language: "en-GB"
  },
  {
    text: "Good morning.",
    family: "premium",
    voiceId: "21m00Tcm4TlvDq8ikWAM",
    model: "eleven_flash_v2_5",
    language: "en-US"
  }
]
const [hindi, english] = requests

const simulator = (options: SimulatorOptions = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => start({ apiKey: "secret", firstByteMs: 5, speed: 200, ...options })),
    (it) => Effect.promise(() => it.close())
  )

/** The service with all three families at `baseUrl`, its connections closed with the scope. */
const service = (baseUrl: string, more: Partial<TextToSpeechOptions> = {}) => {
  const provider = { baseUrl, key: Redacted.make("secret") }
  // The simulator prepares its voice during the first request, so the time limits are generous.
  const patient = { firstByteMs: 20_000 }
  return Layer.build(layer({ indic: provider, english: provider, premium: provider, ...patient, ...more })).pipe(
    Effect.map((context) => Context.get(context, TextToSpeech))
  )
}

type Audio = Stream.Stream<Uint8Array, SpeechError>

const collect = (audio: Audio) =>
  Effect.map(Stream.runCollect(audio), (chunks) => new Uint8Array(Buffer.concat(chunks)))

const failure = (audio: Audio) => Effect.flip(Stream.runDrain(audio))

describe("text-to-speech", () => {
  it.live("speaks with every voice family and passes on the provider's bytes in order as they come", () =>
    Effect.gen(function* () {
      const { url, synthesized, stats } = yield* simulator()
      const speech = yield* service(url)
      for (const [index, request] of requests.entries()) {
        const audio = yield* collect(speech.synthesize(request))
        assert.isAbove(audio.length, 4_000)
        assert.deepStrictEqual(audio, synthesized[index].mulaw)
        assert.strictEqual(synthesized[index].text, request.text)
        assert.strictEqual(synthesized[index].voice, request.voiceId)
      }
      assert.deepEqual(
        synthesized.map((it) => it.language),
        ["hi-IN", "en-US", "en-US"]
      )
      assert.strictEqual(stats.connections, 1, "the connection is kept alive")
    }).pipe(Effect.scoped)
  )

  it.live("passes the first chunk on before the provider has made the last one", () =>
    Effect.gen(function* () {
      const { url, synthesized } = yield* simulator({ speed: 2 })
      const speech = yield* service(url)
      const [first] = yield* speech.synthesize(english).pipe(Stream.take(1), Stream.runCollect)
      assert.isBelow(first.length, synthesized[0].mulaw.length / 2)
    }).pipe(Effect.scoped)
  )

  it.live("stops the provider when it is interrupted", () =>
    Effect.gen(function* () {
      const { url, synthesized, stats } = yield* simulator({ speed: 1 })
      const speech = yield* service(url)
      const talking = yield* Effect.forkChild(Stream.runDrain(speech.synthesize(english)))
      yield* eventually("it speaks", () => synthesized[0]?.sentBytes > 0)
      yield* Fiber.interrupt(talking)
      yield* eventually("it is told to stop", () => stats.aborted === 1)
      assert.strictEqual(synthesized[0].outcome, "aborted")
    }).pipe(Effect.scoped)
  )

  it.live("makes no sound and no request for text without a letter or a digit", () =>
    Effect.gen(function* () {
      const { url, stats } = yield* simulator()
      const speech = yield* service(url)
      for (const text of [" \n", "…", "— ?!"])
        assert.strictEqual((yield* collect(speech.synthesize({ ...english, text }))).length, 0)
      assert.strictEqual(stats.requests, 0)
    }).pipe(Effect.scoped)
  )

  it.live("tries again after temporary trouble, and not after a refusal", () =>
    Effect.gen(function* () {
      const { url, faults, stats } = yield* simulator()
      const speech = yield* service(url)
      for (const status of [503, 429, 0]) {
        Object.assign(faults, { failNext: 3, status })
        assert.isAbove((yield* collect(speech.synthesize(english))).length, 4_000)
      }
      for (const status of [401, 400]) {
        const before = stats.requests
        Object.assign(faults, { failNext: 1, status })
        const error = yield* failure(speech.synthesize(english))
        assert.strictEqual(error.reason, "rejected")
        assert.match(error.message, /Planned failure/)
        assert.strictEqual(stats.requests, before + 1)
      }
      Object.assign(faults, { failNext: 1_000, status: 503 })
      const hasty = yield* service(url, { firstByteMs: 300 })
      assert.strictEqual((yield* failure(hasty.synthesize(english))).reason, "unavailable")
    }).pipe(Effect.scoped)
  )

  for (const [how, fault] of [
    ["is cut", "dropAfterBytes"],
    ["goes quiet", "stallAfterBytes"]
  ] as const)
    it.live(`continues at the same place when the audio ${how} in the middle`, () =>
      Effect.gen(function* () {
        const { url, faults, stats, synthesized } = yield* simulator()
        const speech = yield* service(url, { betweenChunksMs: 150 })
        const whole = yield* collect(speech.synthesize(english))
        faults[fault] = 3_200
        const mended = Effect.sync(() => {
          if ((synthesized[1]?.sentBytes ?? 0) < 3_200) return false
          faults[fault] = null
          return true
        })
        yield* Effect.forkChild(Effect.repeat(mended, { until: (done) => done, schedule: Schedule.spaced("5 millis") }))
        assert.deepStrictEqual(yield* collect(speech.synthesize(english)), whole)
        assert.strictEqual(stats.requests, 3)
      }).pipe(Effect.scoped)
    )

  it.live("fails when the audio breaks off again and again", () =>
    Effect.gen(function* () {
      const { url, faults, stats } = yield* simulator()
      const speech = yield* service(url, { betweenChunksMs: 150 })
      faults.dropAfterBytes = 3_200
      assert.strictEqual((yield* failure(speech.synthesize(english))).reason, "unavailable")
      assert.strictEqual(stats.requests, 2)
      Object.assign(faults, { dropAfterBytes: null, stallAfterBytes: 3_200 })
      assert.strictEqual((yield* failure(speech.synthesize(english))).reason, "timeout")
    }).pipe(Effect.scoped)
  )

  for (const body of ["nothing", "json", "json_as_audio", "page", "header"] as const)
    it.live(`tries again when the body of a good answer has no speech in it (${body})`, () =>
      Effect.gen(function* () {
        const { url, faults, stats, synthesized } = yield* simulator()
        const speech = yield* service(url)
        Object.assign(faults, { withoutSpeechNext: 2, body })
        assert.deepStrictEqual(yield* collect(speech.synthesize(english)), synthesized[0].mulaw)
        assert.strictEqual(stats.requests, 3)
        faults.withoutSpeechNext = 1_000
        const hasty = yield* service(url, { firstByteMs: 300 })
        const error = yield* failure(hasty.synthesize(english))
        assert.strictEqual(error.reason, "protocol")
        if (body.startsWith("json")) assert.match(error.message, /Planned failure/)
        assert.isAtLeast(stats.requests, 5, "it was asked for more than once")
      }).pipe(Effect.scoped)
    )

  it.live("continues at the same place when the answer to its second request has no speech at first", () =>
    Effect.gen(function* () {
      const { url, faults, stats, synthesized } = yield* simulator()
      const speech = yield* service(url, { betweenChunksMs: 150 })
      const whole = yield* collect(speech.synthesize(english))
      Object.assign(faults, { stallAfterBytes: 3_200, body: "json" })
      const broken = Effect.sync(() => {
        if ((synthesized[1]?.sentBytes ?? 0) < 3_200) return false
        Object.assign(faults, { stallAfterBytes: null, withoutSpeechNext: 1 })
        return true
      })
      yield* Effect.forkChild(Effect.repeat(broken, { until: (done) => done, schedule: Schedule.spaced("5 millis") }))
      assert.deepStrictEqual(yield* collect(speech.synthesize(english)), whole)
      assert.strictEqual(stats.requests, 4)
    }).pipe(Effect.scoped)
  )

  it.live("passes on audio that begins like text", () =>
    Effect.gen(function* () {
      const audio = Buffer.concat([Buffer.from("{{{{ [[[[ <<<<"), Buffer.alloc(800, 0x7b)])
      const { url } = yield* Effect.acquireRelease(
        Effect.promise(() => listen(async (_, response) => void response.end(audio))),
        ({ close }) => Effect.promise(close)
      )
      const speech = yield* service(url)
      assert.deepStrictEqual(Buffer.from(yield* collect(speech.synthesize(english))), audio)
    }).pipe(Effect.scoped)
  )

  it.live("gives up when the first byte never comes", () =>
    Effect.gen(function* () {
      const { url, faults } = yield* simulator()
      faults.hang = true
      const speech = yield* service(url, { firstByteMs: 100 })
      assert.strictEqual((yield* failure(speech.synthesize(english))).reason, "timeout")
    }).pipe(Effect.scoped)
  )

  it.live("removes a WAV header that was not asked for", () =>
    Effect.gen(function* () {
      const { url, faults, synthesized } = yield* simulator()
      const speech = yield* service(url)
      faults.wavHeader = true
      assert.deepStrictEqual(yield* collect(speech.synthesize(hindi)), synthesized[0].mulaw)
    }).pipe(Effect.scoped)
  )

  it.live("speaks with the live model and voice that the retired names map to", () =>
    Effect.gen(function* () {
      const { url, faults, synthesized } = yield* simulator()
      faults.bulbulV2Deprecated = true
      const key = Redacted.make("secret")
      const retired = yield* service(url)
      const error = yield* failure(retired.synthesize(hindi))
      assert.strictEqual(error.reason, "rejected")
      assert.match(error.message, /bulbul:v2' has been deprecated/)
      const mapped = yield* service(url, {
        indic: { baseUrl: url, key, models: { "bulbul:v2": "bulbul:v3" }, voices: { anushka: "priya" } }
      })
      assert.isAbove((yield* collect(mapped.synthesize(hindi))).length, 4_000)
      assert.strictEqual(synthesized.at(-1)?.voice, "priya")
    }).pipe(Effect.scoped)
  )

  it.live("says which key is missing, and explains a wrong one", () =>
    Effect.gen(function* () {
      const { url, stats } = yield* simulator()
      const without = { baseUrl: url, key: undefined }
      const speech = yield* service(url, { indic: without, english: without, premium: without })
      for (const request of requests) {
        const error = yield* failure(speech.synthesize(request))
        assert.strictEqual(error.reason, "rejected")
        assert.match(error.message, /text-to-speech key missing on the engine/)
      }
      assert.strictEqual(stats.requests, 0)
      const wrong = { baseUrl: url, key: Redacted.make("wrong") }
      const refused = yield* service(url, { indic: wrong, english: wrong, premium: wrong })
      for (const request of requests) {
        const error = yield* failure(refused.synthesize(request))
        assert.strictEqual(error.reason, "rejected")
        assert.match(error.message, /Status 40[13]: .*(key|credentials)/i)
        assert.notInclude(error.message, "wrong")
      }
    }).pipe(Effect.scoped)
  )

  it.effect("refuses a voice, language or model that the chosen provider does not have", () =>
    Effect.gen(function* () {
      const speech = yield* service("http://127.0.0.1:1")
      const earlier = [
        { ...hindi, model: "bulbul:v1", voiceId: "meera" },
        { ...english, model: "aura-asteria-en", voiceId: "aura-asteria-en" }
      ]
      for (const request of [...requests, ...earlier]) yield* speech.validate(request)
      const wrong = [
        [{ ...hindi, voiceId: "meera" }, /no voice "meera"/],
        [{ ...hindi, model: "bulbul:v1" }, /no model "bulbul:v1"/],
        [{ ...hindi, voiceId: "aura-2-thalia-en" }, /Indic voice provider has no voice "aura-2-thalia-en"/],
        [{ ...hindi, language: "fr-FR" }, /does not speak fr-FR/],
        [{ ...hindi, model: "bulbul:v9" }, /no model "bulbul:v9"/],
        [{ ...english, voiceId: "anushka", model: "anushka" }, /English voice provider has no voice "anushka"/],
        [{ ...english, language: "hi-IN" }, /does not speak hi-IN/],
        [{ ...english, model: "aura-2-zeus-en" }, /does not belong to the voice/],
        [{ ...requests[2], voiceId: "nobody" }, /premium voice provider has no voice "nobody"/]
      ] as const
      for (const [request, sentence] of wrong) {
        const error = yield* Effect.flip(speech.validate(request))
        assert.strictEqual(error.reason, "rejected")
        assert.match(error.message, sentence)
      }
    }).pipe(Effect.scoped)
  )
})
