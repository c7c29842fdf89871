/** Speech is addressed by its position, and heard once by a new stream, however much was on its way when that began. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Queue, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as Listening from "../../../../src/actors/voice/call/Listening.ts"
import type { SpeechSink } from "../../../../src/actors/voice/sound/CallSound.ts"
import { KeptSpeech } from "../../../../src/actors/voice/sound/KeptSpeech.ts"
import { decode } from "../../../../src/audio/frames/Mulaw.ts"
import { SpeechError, SpeechToText, type Transcript } from "../../../../src/domain/ai/providers/Speech.ts"
import { agentOf } from "../../../support/agent.ts"

describe("kept speech", () => {
  const collect = (kept: KeptSpeech, from: number) => {
    const pieces: Array<readonly [number, ReadonlyArray<number>, boolean]> = []
    kept.replay(from, (audio, position, again) => pieces.push([position, [...audio], again]))
    return pieces
  }

  it("is handed over from a position, but not what is understood", () => {
    const kept = new KeptSpeech()
    kept.push(Uint8Array.of(0, 1, 2, 3))
    kept.push(Uint8Array.of(4, 5))
    assert.deepEqual(collect(kept, 3), [[3, [3, 4, 5], true]])
    kept.forget(4)
    assert.deepEqual(collect(kept, 0), [[4, [4, 5], true]])
    // A transcript of something older forgets nothing more, and positions go on.
    kept.forget(2)
    kept.push(Uint8Array.of(6))
    assert.deepEqual(collect(kept, 0), [[4, [4, 5, 6], true]])
    assert.strictEqual(kept.end, 7)
  })

  it("is bounded: of a caller whom nobody understands, the last 30 s are kept", () => {
    const kept = new KeptSpeech()
    for (let frame = 0; frame < 2_000; frame++) kept.push(new Uint8Array(160))
    const [[position]] = collect(kept, 0)
    assert.strictEqual(kept.end - position, 30_000 * 8)
  })
})

describe("a new stream of speech-to-text", () => {
  it.effect(
    "hears all that has no transcript once, and is asked at the pause, though speech and pause were on their way",
    () =>
      Effect.gen(function* () {
        const streams: Array<Array<number | "asked">> = []
        let lose = () => {}
        const open = () =>
          Effect.gen(function* () {
            const heard: Array<number | "asked"> = []
            streams.push(heard)
            const answers = yield* Queue.unbounded<Transcript, SpeechError>()
            lose = () =>
              void Queue.failCauseUnsafe(
                answers,
                Cause.fail(new SpeechError({ provider: "test", reason: "unavailable", message: "" }))
              )
            return {
              push: (samples: Int16Array) => void (samples.length < 100 && heard.push(...samples)),
              flush: () => void heard.push("asked"),
              transcripts: Stream.fromQueue(answers)
            }
          })
        const kept = new KeptSpeech()
        /** What is on its way to the mind, and what the mind has asked for. */
        const onTheWay: Array<() => void> = []
        const asked: Array<number> = []
        const listening = Listening.make({
          agent: agentOf(),
          transcript: () => undefined,
          replay: (from) => void asked.push(from),
          now: () => 0
        })
        const arrive = () => {
          for (const arrives of onTheWay.splice(0)) arrives()
        }
        const hear: SpeechSink["hear"] = (audio, position, again) => {
          const bytes = audio.slice()
          onTheWay.push(() => listening.sink.hear(bytes, position, again))
        }
        const says = (...bytes: ReadonlyArray<number>) => {
          const position = kept.end
          kept.push(Uint8Array.from(bytes))
          hear(Uint8Array.from(bytes), position, false)
        }
        yield* listening.run.pipe(
          Effect.provideService(SpeechToText, { open }),
          Effect.forkChild({ startImmediately: true })
        )
        yield* TestClock.adjust("10 millis")
        says(1, 2)
        arrive()
        lose()
        yield* TestClock.adjust("1 second")
        assert.deepEqual(asked, [0, 0])
        // The sound says this before it learns that there is a new stream.
        says(3, 4)
        const pausedAt = kept.end
        onTheWay.push(() => listening.sink.pause(pausedAt))
        kept.replay(0, hear)
        says(5)
        arrive()
        const samples = [...decode(Uint8Array.of(1, 2, 3, 4, 5))]
        assert.deepEqual(streams[0], samples.slice(0, 2))
        assert.deepEqual(streams[1], [...samples.slice(0, 4), "asked", ...samples.slice(4)])
      }).pipe(Effect.scoped)
  )
})
