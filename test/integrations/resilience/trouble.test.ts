/** Failing providers, seen from the ports: what a call gets when a simulator hangs, refuses or recovers. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Stream } from "effect"
import { start as startLanguageModel } from "../../../simulators/language-model/LanguageModel.ts"
import { start as startModeration } from "../../../simulators/moderation/Moderation.ts"
import { start as startSpeechToText } from "../../../simulators/speech-to-text/SpeechToText.ts"
import { listen, sendJson } from "../../../simulators/support/Loopback.ts"
import { start as startTextToSpeech } from "../../../simulators/text-to-speech/TextToSpeech.ts"
import { Moderation } from "../../../src/domain/ai/providers/Moderation.ts"
import { Reasoning } from "../../../src/domain/ai/providers/Reasoning.ts"
import { type SpeechRequest, SpeechToText, TextToSpeech } from "../../../src/domain/ai/providers/Speech.ts"
import * as Connections from "../../../src/integrations/connections/Connections.ts"
import * as ChatCompletions from "../../../src/integrations/llm/ChatCompletions.ts"
import * as OpenAiModeration from "../../../src/integrations/moderation/OpenAiModeration.ts"
import * as SarvamSpeechToText from "../../../src/integrations/stt/SarvamSpeechToText.ts"
import { makeTwilioClient } from "../../../src/integrations/telephony/TwilioClient.ts"
import * as TextToSpeechRouter from "../../../src/integrations/tts/TextToSpeechRouter.ts"
import { playsInRealTime } from "../../support/Slowness.ts"

playsInRealTime()

const circuit = { failures: 3, openMs: 1_000 }
const key = Redacted.make("secret")

const running = <A extends { readonly close: () => Promise<void> }>(start: () => Promise<A>) =>
  Effect.acquireRelease(Effect.promise(start), (simulator) => Effect.promise(() => simulator.close()))

const service = <I, S>(tag: Context.Key<I, S>, layer: Layer.Layer<I>) =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, tag))

/** The milliseconds until an effect succeeds or fails, and its exit. */
const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const began = performance.now()
    const exit = yield* Effect.exit(effect)
    return { ok: exit._tag === "Success", ms: performance.now() - began }
  })

const tries = Array.from({ length: circuit.failures })

const hindi: SpeechRequest = {
  text: "एक पल।",
  family: "indic",
  voiceId: "anushka",
  model: "bulbul:v2",
  language: "hi-IN"
}
const english: SpeechRequest = {
  text: "One moment.",
  family: "english",
  voiceId: "aura-2-thalia-en",
  model: "aura-2-thalia-en",
  language: "en-US"
}

describe("a provider in trouble", () => {
  it.live(
    "whose voices hang does not slow calls of another voice family, is soon refused without a wait, and is used again when it recovers",
    () =>
      Effect.gen(function* () {
        const start = () => startTextToSpeech({ apiKey: "secret", firstByteMs: 20, speed: 200 })
        const [sick, well] = [yield* running(start), yield* running(start)]
        const speech = yield* service(
          TextToSpeech,
          TextToSpeechRouter.layer({
            indic: { baseUrl: sick.url, key },
            english: { baseUrl: well.url, key },
            premium: { baseUrl: well.url, key },
            firstByteMs: 600,
            circuit
          })
        )
        const speak = (request: SpeechRequest) => timed(Stream.runDrain(speech.synthesize(request)))
        // The simulator needs a moment for a sentence that it speaks for the first time.
        for (const request of [hindi, english]) while (!(yield* speak(request)).ok) yield* Effect.sleep("50 millis")

        sick.faults.hang = true
        const [failures, others] = yield* Effect.all(
          [Effect.forEach(tries, () => speak(hindi)), Effect.forEach(tries, () => speak(english))],
          { concurrency: 2 }
        )
        assert.isTrue(failures.every(({ ok, ms }) => !ok && ms >= 400))
        assert.isTrue(
          others.every(({ ok, ms }) => ok && ms < 550),
          JSON.stringify(others)
        )

        const asked = sick.stats.requests
        const refused = yield* Effect.forEach(tries, () => speak(hindi))
        assert.isTrue(
          refused.every(({ ok, ms }) => !ok && ms < 400),
          JSON.stringify(refused)
        )
        assert.strictEqual(sick.stats.requests, asked)
        assert.isTrue((yield* speak(english)).ok)

        sick.faults.hang = false
        yield* Effect.sleep(circuit.openMs)
        assert.isTrue((yield* speak(hindi)).ok)
        assert.isTrue((yield* speak(hindi)).ok)
      }).pipe(Effect.scoped)
  )

  it.live("whose first model hangs answers with the next model, without a wait once the circuit is open", () =>
    Effect.gen(function* () {
      const model = yield* running(() => startLanguageModel({ firstTokenMs: 5, perTokenMs: 1 }))
      Object.assign(model.faults, { hang: true, onlyModel: "first" })
      const reasoning = yield* service(
        Reasoning,
        ChatCompletions.layer({
          baseUrl: model.url,
          apiKey: "key",
          models: ["first", "second"],
          maxTokens: 50,
          temperature: 0,
          firstTokenTimeoutMs: 500,
          circuit
        })
      )
      const ask = timed(
        Stream.runDrain(reasoning.stream({ messages: [{ role: "user", content: "hello" }], tools: [], user: "org_1" }))
      )
      for (const _ of tries) assert.isAbove((yield* ask).ms, 490)
      const { ok, ms } = yield* ask
      assert.isTrue(ok && ms < 400, `${ms} ms`)
      assert.strictEqual(model.requests.at(-2)?.model, "second", "the first model was not asked again")

      model.faults.hang = false
      yield* Effect.sleep(circuit.openMs)
      assert.isTrue((yield* ask).ok)
      assert.strictEqual(model.requests.at(-1)?.model, "first")
    }).pipe(Effect.scoped)
  )

  it.live("that gives no verdict delays calls for a bounded time, and then not at all", () =>
    Effect.gen(function* () {
      const filter = yield* running(() => startModeration())
      const moderation = yield* service(
        Moderation,
        OpenAiModeration.layer({ baseUrl: filter.url, apiKey: "key", deadlineMs: 500, circuit })
      )
      filter.faults.hang = true
      for (const _ of tries) {
        const { ok, ms } = yield* timed(moderation.check(["hello"]))
        assert.isTrue(!ok && ms >= 250 && ms < 1_500, `${ms} ms`)
      }
      const asked = filter.stats.requests
      const { ok, ms } = yield* timed(moderation.check(["hello"]))
      assert.isTrue(!ok && ms < 200, `${ms} ms`)
      assert.strictEqual(filter.stats.requests, asked)
    }).pipe(Effect.scoped)
  )

  it.live("that transcribes nothing is refused at once after some failures, and used again later", () =>
    Effect.gen(function* () {
      const recogniser = yield* running(() => startSpeechToText({ apiKey: "secret" }))
      const speech = yield* service(
        SpeechToText,
        SarvamSpeechToText.layer({ baseUrl: recogniser.wsUrl, key, connectTimeoutMs: 500, circuit })
      )
      const open = timed(Effect.scoped(speech.open({ model: "saarika:v2.5", language: "en-IN" })))
      recogniser.faults.hang = true
      for (const _ of tries) assert.isAbove((yield* open).ms, 490)
      assert.isBelow((yield* open).ms, 400)
      recogniser.faults.hang = false
      yield* Effect.sleep(circuit.openMs)
      assert.isTrue((yield* open).ok)
    }).pipe(Effect.scoped)
  )

  it.live("is judged by its own failures, so that one account over its limit does not block the calls of others", () =>
    Effect.gen(function* () {
      let status = 429
      let asked = 0
      const { url } = yield* running(() =>
        listen(async (_, response) => {
          asked++
          sendJson(response, status, { code: 20_429, message: "no" })
        })
      )
      const connections = yield* Layer.build(Connections.layer)
      const { ask } = yield* Effect.provide(
        makeTwilioClient({ baseUrl: url, circuit }, "telephony/twilio"),
        connections
      )
      const change = Effect.flip(
        ask({ accountSid: "AC1", authToken: "token" }, { method: "POST", path: "/Accounts/AC1/Calls/CA1.json" })
      )
      for (const _ of [...tries, ...tries]) assert.strictEqual((yield* change).status, 429)
      status = 503
      for (const _ of tries) assert.strictEqual((yield* change).status, 503)
      const before = asked
      assert.match((yield* change).message, /telephony\/twilio has failed 3 times in a row/)
      assert.strictEqual(asked, before)
    }).pipe(Effect.scoped)
  )
})
