import { assert, describe, it } from "@effect/vitest"
import { Effect, Tracer } from "effect"
import { TestClock } from "effect/testing"
import { turnSpans } from "../../../../src/actors/voice/call/Tracing.ts"
import type { TurnLatency } from "../../../../src/domain/voice/engine/CallEvent.ts"

const answered: TurnLatency = {
  turn: 1,
  decisionMs: 320.5,
  transcriptMs: 180,
  firstTokenMs: 450,
  firstAudioMs: 590,
  firstFrameMs: 610
}
const cached: TurnLatency = { ...answered, turn: 2, firstTokenMs: null, firstAudioMs: null, firstFrameMs: 350 }

/** Collects the spans. */
const recorder = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return { spans, tracer }
}
const ms = (nanos: bigint) => Number(nanos) / 1e6

describe("the spans of a call", () => {
  it.effect(
    "include one for each turn, from the caller's last sound to the first frame of the answer, with its steps",
    () =>
      Effect.gen(function* () {
        const { spans, tracer } = recorder()
        // The call's clock showed 100 s when the wall clock showed 10,000 s.
        yield* TestClock.adjust("10000 seconds")
        yield* turnSpans([answered, cached], [60_000, 80_000], () => 100_000).pipe(
          Effect.withSpan("Call.run"),
          Effect.withTracer(tracer)
        )
        const [call, first, second] = spans
        assert.deepStrictEqual(
          spans.map(({ name }) => name),
          ["Call.run", "Call.turn", "Call.turn"]
        )
        assert.isTrue(first.parent._tag === "Some" && first.parent.value.spanId === call.spanId)
        assert.strictEqual(first.traceId, call.traceId)
        assert.deepStrictEqual(Object.fromEntries(first.attributes), {
          turn: 1,
          transcript_ms: 180,
          decision_ms: 320.5,
          first_token_ms: 450,
          first_audio_ms: 590,
          first_frame_ms: 610
        })
        assert.deepStrictEqual(
          first.events.map(([name, at]) => [name, ms(at)]),
          [
            ["transcript", 9_960_180],
            ["decision", 9_960_320.5],
            ["first_token", 9_960_450],
            ["first_audio", 9_960_590],
            ["first_frame", 9_960_610]
          ]
        )
        assert.isTrue(first.status._tag === "Ended" && ms(first.status.startTime) === 9_960_000)
        assert.isTrue(first.status._tag === "Ended" && ms(first.status.endTime) === 9_960_610)
        assert.deepStrictEqual(
          second.events.map(([name]) => name),
          ["transcript", "decision", "first_frame"]
        )
        assert.isTrue(second.status._tag === "Ended" && ms(second.status.endTime) === 9_980_350)
      })
  )
})
