import { assert, describe, it } from "@effect/vitest"
import { Cause, Clock, Effect, Fiber, Queue, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as Listening from "../../../../src/actors/voice/call/Listening.ts"
import { FRAME_BYTES, FRAME_MS } from "../../../../src/audio/frames/Frame.ts"
import { SpeechError, SpeechToText, type Transcript } from "../../../../src/domain/ai/providers/Speech.ts"
import { agentOf } from "../../../support/agent.ts"
import { makeHearing } from "../../../support/hearing.ts"

const samplesPerMs = 8
const lost = (reason: SpeechError["reason"]) => new SpeechError({ provider: "test", reason, message: "test" })

const final = (heardMs: number): Transcript => ({ _tag: "Final", text: `${heardMs} ms`, language: "en-IN" })

/** A recogniser whose connections are refused for a reason, or are lost after `livesMs`. Counts the attempts. */
const recogniser = (behaviour: { readonly refuses: SpeechError["reason"] } | { readonly livesMs: number }) => {
  const attempts = { count: 0 }
  const transcription = (livesMs: number) => ({
    push: () => undefined,
    flush: () => undefined,
    transcripts: Stream.fromEffect(Effect.delay(Effect.fail(lost("unavailable")), livesMs))
  })
  const open = () =>
    Effect.suspend(() => {
      attempts.count++
      return "refuses" in behaviour
        ? Effect.fail(lost(behaviour.refuses))
        : Effect.succeed(transcription(behaviour.livesMs))
    })
  return { attempts, service: SpeechToText.of({ open }) }
}

/** A recogniser whose streams return no words while `deaf`. Otherwise they answer a flush with the length of the audio before it. */
const deafRecogniser = () => {
  const state = { deaf: true, streams: 0 }
  const open = () =>
    Effect.gen(function* () {
      state.streams++
      const answers = yield* Queue.unbounded<Transcript>()
      let heard = 0
      const flush = () => {
        const answer: Transcript = heard === 0 ? { _tag: "Unanswered" } : final(heard)
        heard = 0
        Queue.offerUnsafe(answers, answer)
      }
      const push = (samples: Int16Array) => {
        // Without the silence that keeps an idle stream open.
        if (!state.deaf && samples.some((sample) => sample !== 0)) heard += samples.length / samplesPerMs
      }
      return { push, flush, transcripts: Stream.fromQueue(answers) }
    })
  return { state, service: SpeechToText.of({ open }) }
}

/** A recogniser that transcribes the audio before a flush only when the test tells it to, and whose connection can be lost. */
const slowRecogniser = () => {
  const state = {
    streams: 0,
    write: () => {},
    writeAgain: () => {},
    saysNothing: () => {},
    forget: () => {},
    lose: () => {}
  }
  const open = () =>
    Effect.gen(function* () {
      state.streams++
      const answers = yield* Queue.unbounded<Transcript, SpeechError>()
      const flushed: Array<number> = []
      let heard = 0
      let last: Transcript = final(0)
      state.write = () => {
        last = final(flushed.shift() ?? heard)
        Queue.offerUnsafe(answers, last)
      }
      state.writeAgain = () => void Queue.offerUnsafe(answers, last)
      state.forget = () => void flushed.shift()
      state.saysNothing = () => {
        state.forget()
        Queue.offerUnsafe(answers, { _tag: "Unanswered" })
      }
      state.lose = () => void Queue.failCauseUnsafe(answers, Cause.fail(lost("unavailable")))
      const push = (samples: Int16Array) => {
        if (samples.some((sample) => sample !== 0)) heard += samples.length / samplesPerMs
      }
      const flush = () => {
        flushed.push(heard)
        heard = 0
      }
      return { push, flush, transcripts: Stream.fromQueue(answers) }
    })
  return { state, service: SpeechToText.of({ open }) }
}

const run = (hearing: Listening.Listening, service: SpeechToText["Service"]) =>
  hearing.run.pipe(Effect.provideService(SpeechToText, service), Effect.forkChild({ startImmediately: true }))

/** Listens on the test clock. */
const listeningTo = (transcript: (text: string) => void) =>
  Effect.map(Clock.Clock, (clock) => makeHearing(transcript, () => clock.currentTimeMillisUnsafe()))

const listening = (service: SpeechToText["Service"]) =>
  Effect.flatMap(
    listeningTo(() => undefined),
    (hearing) => run(hearing, service)
  )

/** A caller who speaks, and the texts that are understood. */
const speaker = Effect.fnUntraced(function* (service: SpeechToText["Service"]) {
  const texts: Array<string> = []
  const hearing = yield* listeningTo((text) => void texts.push(text))
  const fiber = yield* run(hearing, service)
  const goOn = (ms: number) => {
    for (let at = 0; at < ms; at += FRAME_MS) hearing.hear(new Uint8Array(FRAME_BYTES).fill(0x10))
  }
  const speak = (ms: number) => {
    goOn(ms)
    hearing.pause()
  }
  return { texts, goOn, speak, doubts: hearing.doubts, ended: () => over(fiber) }
})
const over = (fiber: Fiber.Fiber<void>) => fiber.pollUnsafe() !== undefined

describe("listening to a provider in trouble", () => {
  it.effect("gives up at once when the request itself is wrong", () =>
    Effect.gen(function* () {
      const { attempts, service } = recogniser({ refuses: "rejected" })
      yield* Fiber.join(yield* listening(service))
      assert.strictEqual(attempts.count, 1)
    })
  )

  it.effect("goes on for about nine seconds when the provider cannot be reached", () =>
    Effect.gen(function* () {
      const { attempts, service } = recogniser({ refuses: "unavailable" })
      const fiber = yield* listening(service)
      yield* TestClock.adjust("9 seconds")
      assert.isFalse(over(fiber))
      yield* TestClock.adjust("1 second")
      assert.isTrue(over(fiber))
      assert.strictEqual(attempts.count, 9)
    })
  )

  it.effect("gives up when the provider keeps accepting connections and dropping them", () =>
    Effect.gen(function* () {
      const { attempts, service } = recogniser({ livesMs: 10 })
      const fiber = yield* listening(service)
      yield* TestClock.adjust("5 seconds")
      assert.isFalse(over(fiber))
      assert.isBelow(attempts.count, 8)
      yield* TestClock.adjust("5 seconds")
      assert.isTrue(over(fiber))
      assert.strictEqual(attempts.count, 8)
    })
  )

  it.effect("reopens a stream that is lost now and then as long as the call lasts", () =>
    Effect.gen(function* () {
      const { attempts, service } = recogniser({ livesMs: 15_000 })
      const fiber = yield* listening(service)
      yield* TestClock.adjust("10 minutes")
      assert.isFalse(over(fiber))
      assert.strictEqual(attempts.count, 40)
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("asks other streams when one returned no words, and loses no word, including those said meanwhile", () =>
    Effect.gen(function* () {
      const { state, service } = deafRecogniser()
      const { texts, speak, doubts } = yield* speaker(service)
      speak(2_000)
      yield* TestClock.adjust("10 millis")
      assert.deepEqual(texts, [""])
      assert.isTrue(doubts())
      speak(1_000)
      yield* TestClock.adjust("1 second")
      assert.deepEqual(texts, ["", ""])
      state.deaf = false
      yield* TestClock.adjust("2 seconds")
      assert.deepEqual(texts, ["", "", "3000 ms"])
      assert.isFalse(doubts())
      speak(500)
      yield* TestClock.adjust("10 millis")
      assert.strictEqual(texts.at(-1), "500 ms")
    })
  )

  it.effect("treats a sound as noise when no stream hears words in it, and asks no other stream for a while", () =>
    Effect.gen(function* () {
      const { state, service } = deafRecogniser()
      const { texts, speak, doubts } = yield* speaker(service)
      speak(2_000)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(state.streams, 6)
      assert.isFalse(doubts())
      for (let noise = 0; noise < 3; noise++) {
        speak(2_000)
        yield* TestClock.adjust("1 second")
      }
      assert.strictEqual(state.streams, 6)
      assert.deepEqual(texts, ["", "", "", ""])
      yield* TestClock.adjust("30 seconds")
      speak(2_000)
      yield* TestClock.adjust("1 second")
      assert.isAbove(state.streams, 6)
    })
  )

  it.effect("goes on for a caller who makes a noise before every sentence", () =>
    Effect.gen(function* () {
      const { state, service } = deafRecogniser()
      const { texts, speak, doubts, ended } = yield* speaker(service)
      for (let sentence = 0; sentence < 12; sentence++) {
        state.deaf = true
        speak(1_000)
        yield* TestClock.adjust("10 millis")
        assert.isTrue(doubts())
        state.deaf = false
        yield* TestClock.adjust("1 second")
      }
      assert.isFalse(ended())
      assert.lengthOf(
        texts.filter((text) => text !== ""),
        12
      )
    })
  )

  it.effect("expects no more words when the provider becomes unreachable", () =>
    Effect.gen(function* () {
      const { service } = deafRecogniser()
      let reachable = true
      const open: SpeechToText["Service"]["open"] = (options) =>
        reachable ? service.open(options) : Effect.fail(lost("rejected"))
      const { speak, doubts, ended } = yield* speaker(SpeechToText.of({ open }))
      speak(2_000)
      reachable = false
      yield* TestClock.adjust("10 millis")
      assert.isTrue(doubts())
      yield* TestClock.adjust("1 second")
      assert.isTrue(ended())
      assert.isFalse(doubts())
    })
  )

  it.effect("reports every pause without words, even if the pauses come faster than the answers", () =>
    Effect.gen(function* () {
      const { state, service } = slowRecogniser()
      const { texts, speak } = yield* speaker(service)
      for (let pause = 0; pause < 3; pause++) speak(300)
      for (let pause = 0; pause < 3; pause++) state.saysNothing()
      yield* TestClock.adjust("10 millis")
      assert.deepEqual(texts, ["", "", ""])
      speak(800)
      speak(200)
      state.lose()
      yield* TestClock.adjust("1 second")
      state.write()
      yield* TestClock.adjust("10 millis")
      assert.deepEqual(texts.slice(3), ["1000 ms", ""])
    })
  )

  it.effect("passes a transcript on once that the provider sends twice, and words that the caller says twice", () =>
    Effect.gen(function* () {
      const { state, service } = slowRecogniser()
      const { texts, speak } = yield* speaker(service)
      for (let time = 0; time < 2; time++) {
        speak(500)
        state.write()
        state.writeAgain()
        yield* TestClock.adjust("2 seconds")
        state.writeAgain()
        yield* TestClock.adjust("10 millis")
      }
      assert.deepEqual(texts, ["500 ms", "500 ms"])
    })
  )

  it.effect("opens no other stream for a cough", () =>
    Effect.gen(function* () {
      const { state, service } = deafRecogniser()
      const { texts, speak } = yield* speaker(service)
      speak(600)
      yield* TestClock.adjust("5 seconds")
      assert.deepEqual(texts, [""])
      assert.strictEqual(state.streams, 1)
    })
  )

  it.effect("loses nothing that the caller says while earlier words are still being transcribed", () =>
    Effect.gen(function* () {
      const { state, service } = slowRecogniser()
      const { texts, goOn, speak } = yield* speaker(service)
      const wordsThenLost = Effect.gen(function* () {
        state.write()
        yield* TestClock.adjust("10 millis")
        state.lose()
        yield* TestClock.adjust("1 second")
      })
      speak(1_000)
      goOn(500)
      yield* wordsThenLost
      speak(300)
      speak(600)
      yield* wordsThenLost
      state.write()
      yield* TestClock.adjust("10 millis")
      assert.deepEqual(texts, ["1000 ms", "800 ms", "600 ms"])
      assert.strictEqual(state.streams, 3)
    })
  )

  it.effect(
    "asks other streams for a phrase without an answer even if the words before it came in the middle of it",
    () =>
      Effect.gen(function* () {
        const { state, service } = slowRecogniser()
        const { speak, goOn, doubts } = yield* speaker(service)
        speak(1_000)
        goOn(600)
        state.write()
        yield* TestClock.adjust("10 millis")
        speak(200)
        state.saysNothing()
        yield* TestClock.adjust("10 millis")
        assert.isTrue(doubts())
      })
  )

  it.effect(
    "hears once what was on its way when the stream began, and comes again because the stream asks for it",
    () =>
      Effect.gen(function* () {
        const texts: Array<string> = []
        const asked: Array<number> = []
        const hearing = Listening.make({
          agent: agentOf(),
          transcript: (text) => void texts.push(text),
          replay: (from) => void asked.push(from),
          now: () => 0
        })
        const { state, service } = slowRecogniser()
        yield* run(hearing, service)
        assert.deepStrictEqual(asked, [0])
        const { hear, pause } = hearing.sink
        const speech = (ms: number) => new Uint8Array(ms * samplesPerMs).fill(0x10)
        // On its way: the first 200 ms, and the next.
        hear(speech(200), 0, false)
        hear(speech(200), 200 * samplesPerMs, false)
        // What the stream has asked for, in other pieces, and what is new.
        hear(speech(160), 0, true)
        hear(speech(160), 160 * samplesPerMs, false)
        hear(speech(160), 320 * samplesPerMs, false)
        hear(speech(20), 480 * samplesPerMs, false)
        pause(500 * samplesPerMs)
        state.write()
        yield* TestClock.adjust("1 milli")
        assert.deepStrictEqual(texts, ["500 ms"])
      })
  )

  it.effect("hears nothing twice after a pause that the provider never answered", () =>
    Effect.gen(function* () {
      const { state, service } = slowRecogniser()
      const { texts, speak } = yield* speaker(service)
      speak(1_000)
      speak(200)
      state.write()
      state.forget()
      yield* TestClock.adjust("10 seconds")
      speak(800)
      state.write()
      yield* TestClock.adjust("10 millis")
      state.lose()
      yield* TestClock.adjust("1 second")
      speak(600)
      state.write()
      yield* TestClock.adjust("10 millis")
      assert.deepEqual(texts, ["1000 ms", "800 ms", "600 ms"])
    })
  )
})
