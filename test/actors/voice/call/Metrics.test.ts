import { assert, describe, it } from "@effect/vitest"
import { Effect, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { callEnded, callStarted } from "../../../../src/actors/voice/call/Metrics.ts"
import type { TurnLatency } from "../../../../src/domain/voice/engine/CallEvent.ts"

const answered: TurnLatency = {
  turn: 1,
  decisionMs: 320,
  transcriptMs: 180,
  firstTokenMs: 450,
  firstAudioMs: 590,
  firstFrameMs: 610
}
const cached: TurnLatency = { ...answered, turn: 2, firstTokenMs: null, firstAudioMs: null, firstFrameMs: 350 }

/** The samples of a series, without the lines HELP and TYPE. */
const lines = (text: string, start: string) => text.split("\n").filter((line) => line.startsWith(start))

describe("the metrics of calls", () => {
  it.effect("tell how long each step of an answer took, and count interruptions, real and false", () =>
    Effect.gen(function* () {
      yield* callStarted
      yield* callStarted
      yield* callEnded("caller_hangup", [answered, cached], { interruptions: 2, falseInterruptions: 1 })
      const text = yield* PrometheusMetrics.format()
      assert.deepStrictEqual(lines(text, "parley_calls_live "), ["parley_calls_live 1"])
      assert.deepStrictEqual(lines(text, "parley_interruptions_total "), ["parley_interruptions_total 2"])
      assert.deepStrictEqual(lines(text, "parley_false_interruptions_total "), ["parley_false_interruptions_total 1"])
      const counted = (step: string) => lines(text, `parley_turn_latency_milliseconds_count{step="${step}"}`)
      assert.match(counted("decision")[0], / 2$/)
      assert.match(counted("transcript")[0], / 2$/)
      assert.match(counted("first_token")[0], / 1$/)
      assert.match(counted("first_audio")[0], / 1$/)
      assert.match(counted("first_frame")[0], / 2$/)
      assert.match(lines(text, `parley_turn_latency_milliseconds_sum{step="first_frame"}`)[0], / 960$/)
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
  )
})
