/** Each word of a caller is transcribed exactly once, whatever the caller says and however slow the provider is. */
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { Cause, Effect, Fiber, Queue, Stream } from "effect"
import * as fc from "fast-check"
import { FRAME_BYTES, FRAME_MS } from "../../../../src/audio/frames/Frame.ts"
import * as Mulaw from "../../../../src/audio/frames/Mulaw.ts"
import { SpeechError, SpeechToText, type Transcript } from "../../../../src/domain/ai/providers/Speech.ts"
import { makeFlushGuard } from "../../../../src/integrations/stt/FlushGuard.ts"
import { makeHearing } from "../../../support/hearing.ts"

/** One stretch of sound. A provider detects no speech in a `noise`. A `wordless` sound begins like speech and has no words. */
interface Sound {
  readonly kind: "speech" | "wordless" | "noise"
  readonly ms: number
  /** The quiet after it. */
  readonly gapMs: number
}

interface Provider {
  readonly upMs: number
  readonly downMs: number
  readonly writesAfterMs: number
  /** The first stream may open after the caller has begun: the audio until then is sent to it at once. */
  readonly firstOpensAfterMs: number
  readonly opensAfterMs: number
  /** How many times faster than real time the provider processes audio that comes at once. */
  readonly pace: number
}

const quiet = 0xff
const noise = 0x50
const wordless = 0x51
/** Every sound of speech has its own level, which identifies it. */
const levelOf = (index: number) => 0x10 + index
const speechOf = (() => {
  const levels = Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? wordless : levelOf(index - 1)))
  const samples = new Int16Array(levels.length)
  Mulaw.decodeInto(levels, samples)
  return new Map(Array.from(samples, (sample, index) => [sample, index - 1]))
})()

/** Milliseconds: the detector's hang-over after a sound, the quiet before speech-to-text is asked, and the quiet that is sent before a sound. */
const hangOverMs = 80
const askAfterMs = 260
const preRollMs = 400
/** Milliseconds of audio: speech before the provider detects its start, and quiet before it detects its end. */
const startsAfterMs = 40
const endsAfterMs = 500

/** One stream of a provider that detects and transcribes by its own rules. */
const streamOf = (provider: Provider, answer: (transcript: Transcript) => void, lost: () => void) => {
  const guard = makeFlushGuard({
    nothingMs: () => 300,
    writtenMs: 1_500,
    onNothing: (listens) => answer(listens ? { _tag: "Final", text: "", language: undefined } : { _tag: "Unanswered" }),
    overdueMs: 4_000,
    onOverdue: () => {
      if (!staysSilent) assert.fail("a healthy stream is given up")
      lost()
    }
  })
  /** A flush may come while the end of a wordless sound is on its way: then it seems that the flush has ended it. */
  let staysSilent = false
  let speaking = false
  let loudMs = 0
  let quietMs = 0
  let heard: Array<number> = []
  const say = (what: () => void, afterMs = 0) => setTimeout(what, provider.downMs + afterMs)
  const end = (flushed: boolean) => {
    speaking = false
    const text = heard.filter((index) => index >= 0).join(" ")
    heard = []
    say(() => guard.signalled("END_SPEECH"))
    if (text === "" && !flushed) {
      staysSilent = true
      return
    }
    say(
      () => guard.transcribed((answers) => answer({ _tag: "Final", text, language: "en-IN", answers })),
      provider.writesAfterMs
    )
  }
  const hear = (frame: number | undefined) => {
    if (frame === undefined) {
      loudMs = 0
      quietMs += FRAME_MS
      if (speaking && quietMs >= endsAfterMs) end(false)
      return
    }
    heard.push(frame)
    loudMs += FRAME_MS
    quietMs = 0
    if (speaking || loudMs < startsAfterMs) return
    speaking = true
    say(() => guard.signalled("START_SPEECH"))
  }
  let heardByMs = 0
  /** The provider processes audio and flushes one after the other. */
  const arrives = (what: () => void, takesMs: number) => {
    heardByMs = Math.max(heardByMs, performance.now() + provider.upMs) + takesMs
    setTimeout(what, heardByMs - performance.now())
  }
  return {
    stop: guard.stop,
    push: (samples: Int16Array) => {
      for (let at = 0; at < samples.length; at += FRAME_BYTES) {
        const frame = speechOf.get(samples[at])
        arrives(() => hear(frame), FRAME_MS / provider.pace)
      }
      guard.sent(samples.length / (FRAME_BYTES / FRAME_MS))
    },
    flush: () => {
      arrives(() => {
        if (speaking) end(true)
      }, 0)
      guard.flushed()
    }
  }
}

const serviceOf = (provider: Provider) => {
  let streams = 0
  return SpeechToText.of({
    open: () =>
      Effect.gen(function* () {
        yield* Effect.sleep(streams++ === 0 ? provider.firstOpensAfterMs : provider.opensAfterMs)
        const answers = yield* Queue.unbounded<Transcript, SpeechError>()
        const error = new SpeechError({ provider: "test", reason: "timeout", message: "test" })
        const stream = streamOf(
          provider,
          (transcript) => Queue.offerUnsafe(answers, transcript),
          () => Queue.failCauseUnsafe(answers, Cause.fail(error))
        )
        yield* Effect.addFinalizer(() => Effect.sync(stream.stop))
        return { push: stream.push, flush: stream.flush, transcripts: Stream.fromQueue(answers) }
      })
  })
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** The texts that `Listening` reports for the sounds. */
const told = async (sounds: ReadonlyArray<Sound>, provider: Provider) => {
  const texts: Array<string> = []
  const listening = makeHearing(
    (text) => void texts.push(text),
    () => performance.now()
  )
  const fiber = Effect.runFork(Effect.provideService(listening.run, SpeechToText, serviceOf(provider)))
  await pass(1_000)
  const hear = async (level: number, ms: number, each = FRAME_MS) => {
    for (let at = 0; at < ms; at += FRAME_MS) {
      listening.hear(new Uint8Array(FRAME_BYTES).fill(level))
      if (each > 0) await pass(each)
    }
  }
  let quietBefore = preRollMs
  const levels = { noise, wordless }
  for (const [index, { kind, ms, gapMs }] of sounds.entries()) {
    await hear(quiet, Math.min(preRollMs, quietBefore), 0)
    await hear(kind === "speech" ? levelOf(index) : levels[kind], ms)
    await hear(quiet, Math.min(hangOverMs, gapMs))
    quietBefore = Math.max(0, gapMs - hangOverMs)
    if (gapMs < askAfterMs) {
      await pass(quietBefore)
      continue
    }
    await pass(askAfterMs - hangOverMs)
    listening.pause()
    await pass(gapMs - askAfterMs)
  }
  await pass(500)
  listening.pause()
  await pass(15_000)
  Effect.runFork(Fiber.interrupt(fiber))
  await pass(100)
  return texts
}

/** How many frames of each sound are in those texts. */
const hears = async (sounds: ReadonlyArray<Sound>, provider: Provider) => {
  const counts = sounds.map(() => 0)
  for (const text of await told(sounds, provider))
    for (const index of text.split(" ")) if (index !== "") counts[Number(index)]++
  return counts
}

const framesOf = (sounds: ReadonlyArray<Sound>) => sounds.map(({ kind, ms }) => (kind === "speech" ? ms / FRAME_MS : 0))

const ms = (min: number, max: number) =>
  fc.integer({ min: min / FRAME_MS, max: max / FRAME_MS }).map((it) => it * FRAME_MS)
const sound = fc.record({
  kind: fc.constantFrom("speech", "speech", "wordless", "noise"),
  ms: ms(100, 1_500),
  gapMs: ms(40, 1_000)
})
const provider = fc.record({
  upMs: fc.integer({ min: 0, max: 130 }),
  downMs: fc.integer({ min: 0, max: 130 }),
  writesAfterMs: fc.integer({ min: 20, max: 700 }),
  firstOpensAfterMs: fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1_000, max: 6_000 })),
  opensAfterMs: fc.integer({ min: 0, max: 200 }),
  pace: fc.constantFrom(5, 10, 50)
})

describe("what a caller says", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const swift: Provider = {
    upMs: 30,
    downMs: 30,
    writesAfterMs: 250,
    firstOpensAfterMs: 20,
    opensAfterMs: 20,
    pace: 50
  }

  it("is heard once when a sound without words comes right before it", async () => {
    for (const gapMs of [300, 340, 380, 420, 460, 500, 540, 580, 620]) {
      const sounds = [
        { kind: "noise", ms: 300, gapMs },
        { kind: "speech", ms: 1_200, gapMs: 800 }
      ] as const
      assert.deepEqual(await hears(sounds, swift), [0, 60], `after ${gapMs} ms`)
    }
  })

  it("gets no other answer before its words when it is replayed to a slow provider", async () => {
    const sounds = [{ kind: "speech", ms: 4_000, gapMs: 1_000 }] as const
    const texts = await told(sounds, { ...swift, firstOpensAfterMs: 5_500, pace: 5 })
    assert.lengthOf(texts[0].split(" "), 200)
  })

  it("is heard once for all kinds of sounds and all speeds of the provider", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sound, { minLength: 1, maxLength: 8 }), provider, async (sounds, it) => {
        assert.deepEqual(await hears(sounds, it), framesOf(sounds))
      }),
      { numRuns: 150 }
    )
  })
})
