/** The panel of eight numbers, from who speaks when: two tracks and what the caller did. No judge. */
import type { Played, PlayedCall } from "./PlayedCall.ts"

const frameMs = 20
const FRAME = 160
/** Root mean square from which on a frame of the agent's track is speech: far below an agent that was made 12 dB softer. */
const audibleLevel = 60
/** A silence of the agent is an end only when it lasts longer than the pauses between two clauses. */
const gapMs = 600
/** The windows of the panel. */
const yieldsWithinMs = 2_000
const stopsWithinMs = 1_000
const answersWithinMs = 2_000
const repliesWithinMs = 6_000
const deadAirMs = 3_000
/** Both began at once: neither spoke into the other. */
const collisionMs = 200

interface Segment {
  readonly startMs: number
  readonly endMs: number
}

/** When the agent spoke. */
const segmentsOf = ({ telephone, lengthMs }: PlayedCall): ReadonlyArray<Segment> => {
  const segments: Array<{ startMs: number; endMs: number }> = []
  for (let ms = 0; ms + frameMs <= lengthMs; ms += frameMs) {
    let sum = 0
    for (let i = ms * 8; i < ms * 8 + FRAME; i++) sum += telephone.agent[i] ** 2
    if (Math.sqrt(sum / FRAME) < audibleLevel) continue
    const last = segments.at(-1)
    if (last !== undefined && ms - last.endMs < gapMs) last.endMs = ms + frameMs
    else segments.push({ startMs: ms, endMs: ms + frameMs })
  }
  return segments
}

/** What became of one event: seconds, whether it went well, or `undefined` when it is not asked. */
interface Outcome {
  readonly call: string
  readonly event: Played
  /** Of a turn: until the agent's answer. Of an event over the agent: until the agent is silent. */
  readonly seconds: number
  readonly good: boolean
  /** Segments of the agent that begin while the caller speaks. */
  readonly collisions: number
}

const isTurn = ({ kind }: Played): boolean => kind === "turn" || kind === "interruption"

const outcomesOf = (call: PlayedCall): ReadonlyArray<Outcome> => {
  const segments = segmentsOf(call)
  const beginsIn = (fromMs: number, untilMs: number) =>
    segments.filter(({ startMs }) => startMs > fromMs && startMs < untilMs)
  return call.events.map((event): Outcome => {
    const { startMs, endMs, kind, over, parts } = event
    const collisions = isTurn(event)
      ? parts.reduce((sum, part) => sum + beginsIn(part.startMs + collisionMs, part.endMs - frameMs).length, 0)
      : 0
    const under = segments.find((segment) => segment.startMs <= startMs && segment.endMs > startMs)
    const stopMs = under === undefined ? 0 : under.endMs - startMs
    const answer = segments.find((segment) => segment.startMs > endMs - frameMs)
    const answerMs = answer === undefined ? Number.POSITIVE_INFINITY : answer.startMs - endMs
    const of = (ms: number, good: boolean) => ({ call: call.name, event, seconds: ms / 1_000, good, collisions })
    if (kind === "turn") return of(answerMs, answerMs <= repliesWithinMs)
    if (kind === "interruption") return of(stopMs, stopMs <= yieldsWithinMs)
    return over ? of(stopMs, stopMs > stopsWithinMs) : of(answerMs, answerMs > answersWithinMs)
  })
}

/** Silences of both sides that are too long. */
const deadAir = (call: PlayedCall): number => {
  const busy = [...segmentsOf(call), ...call.events.map(({ startMs, endMs }) => ({ startMs, endMs }))].toSorted(
    (a, b) => a.startMs - b.startMs
  )
  let count = 0
  let untilMs = busy[0]?.endMs ?? 0
  for (const { startMs, endMs } of busy) {
    if (startMs - untilMs > deadAirMs) count++
    untilMs = Math.max(untilMs, endMs)
  }
  return count
}

const share = (list: ReadonlyArray<Outcome>): number => list.filter(({ good }) => good).length / list.length
const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

export const panelOf = (calls: ReadonlyArray<PlayedCall>) => {
  const outcomes = calls.flatMap(outcomesOf)
  const of = (...kinds: ReadonlyArray<Played["kind"]>) => outcomes.filter(({ event }) => kinds.includes(event.kind))
  const turns = of("turn")
  const interruptions = of("interruption")
  const both = of("turn", "interruption")
  const listening = of("listening")
  const vocal = of("vocal")
  const notMeant = of("away", "room")
  const over = (list: ReadonlyArray<Outcome>, isOver: boolean) => list.filter(({ event }) => event.over === isOver)
  const seconds = (list: ReadonlyArray<Outcome>) => list.filter(({ good }) => good).map((one) => one.seconds)
  return {
    outcomes,
    counts: {
      turns: turns.length,
      interruptions: interruptions.length,
      listening: listening.length,
      vocal: vocal.length,
      notMeant: notMeant.length
    },
    LR: mean(seconds(turns)),
    RR: share(turns),
    LY: mean(seconds(interruptions)),
    RY: share(interruptions),
    IA: both.reduce((sum, { collisions }) => sum + collisions, 0) / both.length,
    SBC: share(listening),
    SVT: share(vocal),
    SND: share(notMeant),
    parts: {
      vocalOver: share(over(vocal, true)),
      vocalInSilence: share(over(vocal, false)),
      away: share(of("away")),
      room: share(of("room")),
      notMeantOver: share(over(notMeant, true)),
      notMeantInSilence: share(over(notMeant, false))
    },
    deadAir: calls.reduce((sum, call) => sum + deadAir(call), 0)
  }
}
export type Panel = ReturnType<typeof panelOf>
