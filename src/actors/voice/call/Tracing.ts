/**
 * Spans of a call's turns. The steps of a turn are stamped on the frame path, outside any fiber. The spans are therefore made afterwards from
 * the finished rows, as children of the call's span.
 */
import { Clock, Context, Effect, Exit, Option } from "effect"
import type { TurnLatency } from "../../../domain/voice/engine/CallEvent.ts"

const steps = [
  ["transcript", "transcriptMs"],
  ["decision", "decisionMs"],
  ["first_token", "firstTokenMs"],
  ["first_audio", "firstAudioMs"],
  ["first_frame", "firstFrameMs"]
] as const

const nanos = (ms: number) => BigInt(Math.round(ms * 1_000)) * 1_000n

/**
 * Records one answered turn as a span of the current one: from the caller's last voiced frame, at `endOfSpeechMs` (milliseconds since
 * 1970), to the last step. Each step is an event, and an attribute in milliseconds.
 */
export const turnSpan = Effect.fnUntraced(function* (turn: TurnLatency, endOfSpeechMs: number) {
  const tracer = yield* Effect.tracer
  const parent = yield* Effect.option(Effect.currentParentSpan)
  const span = tracer.span({
    name: "Call.turn",
    parent,
    annotations: Context.empty(),
    links: [],
    startTime: nanos(endOfSpeechMs),
    kind: "internal",
    root: Option.isNone(parent),
    sampled: Option.isNone(parent) || parent.value.sampled
  })
  span.attribute("turn", turn.turn)
  let lastMs = 0
  for (const [name, field] of steps) {
    const ms = turn[field]
    if (ms === null) continue
    span.attribute(`${name}_ms`, ms)
    span.event(name, nanos(endOfSpeechMs + ms))
    lastMs = Math.max(lastMs, ms)
  }
  span.end(nanos(endOfSpeechMs + lastMs), Exit.void)
})

/**
 * Records all turns of a call. Run it when the call ends and its span is still open. `endsOfSpeech` has the last voiced frame of each row of
 * `turns`, in milliseconds of `now`, the monotonic clock of the call.
 */
export const turnSpans = Effect.fnUntraced(function* (
  turns: ReadonlyArray<TurnLatency>,
  endsOfSpeech: ReadonlyArray<number>,
  now: () => number
) {
  const sinceEpoch = (yield* Clock.currentTimeMillis) - now()
  yield* Effect.forEach(turns, (turn, index) => turnSpan(turn, sinceEpoch + endsOfSpeech[index]), { discard: true })
})
