/** What `/metrics` says of calls. */
import { Effect, Metric } from "effect"
import type { EndReason, TurnLatency } from "../../domain/EngineProtocol.ts"

const live = Metric.gauge("parley_calls_live", { description: "Calls running in this process" })
const ended = Metric.counter("parley_calls_ended_total", {
  description: "Calls that ended, by reason",
  incremental: true
})
const latency = Metric.histogram("parley_turn_latency_milliseconds", {
  description: "From the caller's last sound to the first frame of the answer",
  boundaries: [200, 400, 600, 800, 1_000, 1_500, 2_000, 3_000, 5_000]
})

export const callStarted = Metric.modify(live, 1)

/** A call is over; its answered turns give their latencies. */
export const callEnded = (endReason: EndReason, turns: ReadonlyArray<TurnLatency>) =>
  Effect.gen(function* () {
    yield* Metric.modify(live, -1)
    yield* Metric.update(Metric.withAttributes(ended, { reason: endReason }), 1)
    for (const { firstFrameMs } of turns) if (firstFrameMs !== null) yield* Metric.update(latency, firstFrameMs)
  })
