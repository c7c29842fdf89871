/** The metrics of calls. The gauge of running calls changes at once; everything else is counted when a call ends. */
import { Effect, Metric } from "effect"
import type { TurnLatency } from "../../../domain/voice/engine/CallEvent.ts"
import type { EndReason } from "../../../domain/voice/engine/EndReason.ts"

const live = Metric.gauge("parley_calls_live", { description: "Calls running in this process" })
const ended = Metric.counter("parley_calls_ended_total", {
  description: "Calls that ended, by reason",
  incremental: true
})
const latency = Metric.histogram("parley_turn_latency_milliseconds", {
  description: "From the caller's last sound to each step of the answer",
  boundaries: [50, 100, 200, 300, 400, 600, 800, 1_000, 1_500, 2_000, 3_000, 5_000]
})
const interruptions = Metric.counter("parley_interruptions_total", {
  description: "Times a caller cut the agent short",
  incremental: true
})
const falseInterruptions = Metric.counter("parley_false_interruptions_total", {
  description: "Sounds that made the agent pause and turned out not to be an interruption",
  incremental: true
})
const withheld = Metric.counter("parley_texts_withheld_total", {
  description:
    "Texts that the content filter kept from the model or from a tool while the call went on, by what they were",
  incremental: true
})

const steps = {
  decision: Metric.withAttributes(latency, { step: "decision" }),
  transcript: Metric.withAttributes(latency, { step: "transcript" }),
  firstToken: Metric.withAttributes(latency, { step: "first_token" }),
  firstAudio: Metric.withAttributes(latency, { step: "first_audio" }),
  firstFrame: Metric.withAttributes(latency, { step: "first_frame" })
}

/** Does not count a step that the turn did not have: a line from the cache has no model token, for example. */
const observe = (step: keyof typeof steps, ms: number | null) =>
  ms === null ? Effect.void : Metric.update(steps[step], ms)

/** Counts a text that was kept from the model or from a tool. */
export const textWithheld = (what: string) => Metric.update(Metric.withAttributes(withheld, { what }), 1)

/** Counts a call as running. */
export const callStarted = Metric.modify(live, 1)

/** A call goes on in another process. */
export const callLeft = Metric.modify(live, -1)

/** What a call counted while it ran. */
export interface CallCounts {
  readonly interruptions: number
  readonly falseInterruptions: number
}

/** Counts a call that ended: its reason, the latencies of its answered turns, and its interruptions. */
export const callEnded = Effect.fnUntraced(function* (
  endReason: EndReason,
  turns: ReadonlyArray<TurnLatency>,
  counts: CallCounts
) {
  yield* Metric.modify(live, -1)
  yield* Metric.update(Metric.withAttributes(ended, { reason: endReason }), 1)
  yield* Metric.update(interruptions, counts.interruptions)
  yield* Metric.update(falseInterruptions, counts.falseInterruptions)
  for (const turn of turns) {
    yield* observe("decision", turn.decisionMs)
    yield* observe("transcript", turn.transcriptMs)
    yield* observe("firstToken", turn.firstTokenMs)
    yield* observe("firstAudio", turn.firstAudioMs)
    yield* observe("firstFrame", turn.firstFrameMs)
  }
})
