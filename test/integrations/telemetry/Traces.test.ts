import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { start } from "../../../simulators/telemetry/Collector.ts"
import { turnSpan } from "../../../src/actors/voice/call/Tracing.ts"
import * as Traces from "../../../src/integrations/telemetry/Traces.ts"

const collector = Effect.acquireRelease(
  Effect.promise(() => start()),
  ({ close }) => Effect.promise(close)
)

const turn = {
  turn: 1,
  decisionMs: 300,
  transcriptMs: 200,
  firstTokenMs: 400,
  firstAudioMs: 500,
  firstFrameMs: 520
}
const call = turnSpan(turn, 1_700_000_000_000).pipe(
  Effect.withSpan("a tool", { attributes: { outcome: "ok" } }),
  Effect.withSpan("Call.run")
)

const tracing = (endpoint: string, intervalMs = 50) =>
  Traces.layer({
    endpoint,
    headers: { "x-collector-key": Redacted.make("k 1") },
    serviceName: "parley-test",
    intervalMs
  })

describe("traces", () => {
  it.live("reach the collector with their parents, times and attributes, under the name of the service", () =>
    Effect.gen(function* () {
      const { url, spans, batches, stats } = yield* collector
      yield* Effect.gen(function* () {
        yield* call
        while (spans.length < 3) yield* Effect.sleep("10 millis")
      }).pipe(Effect.provide(tracing(`${url}/`)))
      const [last, tool, run] = spans
      assert.deepStrictEqual([last.name, tool.name, run.name], ["Call.turn", "a tool", "Call.run"])
      assert.deepStrictEqual(
        [last.parentSpanId, tool.parentSpanId, run.parentSpanId],
        [tool.spanId, run.spanId, undefined]
      )
      assert.strictEqual(last.traceId, run.traceId)
      assert.strictEqual(last.startTimeUnixNano, 1_700_000_000_000)
      assert.strictEqual(last.endTimeUnixNano, 1_700_000_000_520)
      assert.strictEqual(last.attributes.first_token_ms, 400)
      assert.strictEqual(tool.attributes.outcome, "ok")
      assert.strictEqual(batches[0].serviceName, "parley-test")
      assert.strictEqual(batches[0].key, "k 1")
      assert.strictEqual(stats.refused, 0)
    }).pipe(Effect.scoped)
  )

  it.live("are sent when the process stops, if they were not sent before", () =>
    Effect.gen(function* () {
      const { url, spans } = yield* collector
      yield* Effect.provide(call, tracing(url, 60_000))
      assert.lengthOf(spans, 3)
    }).pipe(Effect.scoped)
  )

  it.live("are lost without delaying anything when the collector hangs, fails or is missing", () =>
    Effect.gen(function* () {
      const { url, faults, spans } = yield* collector
      const timed = Effect.fnUntraced(function* (endpoint: string) {
        const scope = yield* Scope.make()
        const services = yield* Scope.provide(Layer.build(tracing(endpoint, 20)), scope)
        const began = performance.now()
        for (let n = 0; n < 100; n++) yield* Effect.provide(call, services)
        const traced = performance.now() - began
        yield* Effect.sleep("100 millis")
        yield* Scope.close(scope, Exit.void)
        return { traced, stopped: performance.now() - began }
      })
      faults.hang = true
      const hanging = yield* timed(url)
      Object.assign(faults, { hang: false, failNext: 100, status: 500 })
      const failing = yield* timed(url)
      const absent = yield* timed("http://127.0.0.1:1")
      for (const { traced, stopped } of [hanging, failing, absent]) {
        assert.isBelow(traced, 1_000)
        assert.isBelow(stopped, 4_000)
      }
      assert.lengthOf(spans, 0)
    }).pipe(Effect.scoped)
  )
})
