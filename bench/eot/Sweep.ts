/**
 * The sweep of eot-bench (LiveKit, Apache-2.0): every policy of threshold, action delay and timeout over the scores of a detector, and the best of
 * them within a budget. False cut-offs are a share of the hesitations of 200 ms to 5 s, latency is the mean over the ends.
 */
import type { Moment, Span } from "./Spans.ts"
import { tailMs } from "./TurnSet.ts"

/** Greater is more surely the end. */
export type Score = (moment: Moment, span: Span) => number

export interface Policy {
  readonly threshold: number
  readonly delayMs: number
  readonly timeoutMs: number
}

export interface Point extends Policy {
  /** Share of hesitations at which it acts. */
  readonly cutOff: number
  readonly latencyMs: number
}

const range = (from: number, until: number, by: number) =>
  Array.from({ length: Math.floor((until - from) / by) + 1 }, (_, i) => from + i * by)
const delays = range(100, 2_000, 50)
const timeouts = range(100, 4_000, 100)

export const isCounted = ({ isEnd, fromMs, untilMs }: Span): boolean =>
  isEnd || (untilMs - fromMs >= 200 && untilMs - fromMs <= 5_000)

/** When a detector has heard `silentMs` of silence for the first time, ms after the voice stopped; `Infinity` when it has not. */
const reached = (moments: ReadonlyArray<Moment>, silentMs: number): number =>
  moments.find((moment) => moment.silentMs >= silentMs)?.afterMs ?? Number.POSITIVE_INFINITY

/** All policies over the spans. Both shares are of the spans that count. */
export const sweep = (all: ReadonlyArray<Span>, score: Score): ReadonlyArray<Point> => {
  const spans = all.filter(isCounted)
  const scored = spans.map((span) => span.moments.map((moment) => score(moment, span)))
  const thresholds = [...new Set(scored.flat())].sort((a, b) => a - b)
  const holds = spans.filter(({ isEnd }) => !isEnd).length
  const ends = spans.length - holds
  const byTimeout = timeouts.map((timeoutMs) => spans.map(({ moments }) => reached(moments, timeoutMs)))
  return thresholds.flatMap((threshold) =>
    delays.flatMap((delayMs) => {
      const byScore = spans.map(({ moments }, i) => {
        const at = moments.findIndex(({ silentMs }, m) => silentMs >= delayMs && scored[i][m] >= threshold)
        return at < 0 ? Number.POSITIVE_INFINITY : moments[at].afterMs
      })
      return timeouts.flatMap((timeoutMs, t) => {
        if (timeoutMs < delayMs) return []
        let [cut, latency] = [0, 0]
        for (let i = 0; i < spans.length; i++) {
          const acted = Math.min(byScore[i], byTimeout[t][i])
          if (spans[i].isEnd) latency += Math.min(acted, tailMs)
          else if (Number.isFinite(acted)) cut++
        }
        return [
          { threshold, delayMs, timeoutMs, cutOff: cut / Math.max(1, holds), latencyMs: latency / Math.max(1, ends) }
        ]
      })
    })
  )
}

/** The fewest cut-offs within a latency; `undefined` when no policy is so quick. */
export const fewestCutOffs = (points: ReadonlyArray<Point>, latencyMs: number): Point | undefined =>
  points
    .filter((point) => point.latencyMs <= latencyMs)
    .reduce<Point | undefined>(
      (best, point) => (best === undefined || point.cutOff < best.cutOff ? point : best),
      undefined
    )

/** The least latency within a share of cut-offs. */
export const leastLatency = (points: ReadonlyArray<Point>, cutOff: number): Point | undefined =>
  points
    .filter((point) => point.cutOff <= cutOff)
    .reduce<Point | undefined>(
      (best, point) => (best === undefined || point.latencyMs < best.latencyMs ? point : best),
      undefined
    )
