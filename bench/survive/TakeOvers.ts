/** How soon the calls of a killed engine are served again, as speech-to-text sees it: their streams end at the kill, and are opened by whoever takes over. */

/** The streams of a killed engine end so soon after the kill. Milliseconds. */
const endWithinMs = 1_000

export interface TakeOvers {
  /** Calls that the killed engine had. */
  readonly calls: number
  /** From the kill until the stream of each call was open again, in order; shorter than `calls` when some were not. */
  readonly ms: ReadonlyArray<number>
}

/** What one kill brought, which came at `killedAt`, and the next at `untilMs`. */
export const takeOversOf = (
  { opened, closed }: { readonly opened: ReadonlyArray<number>; readonly closed: ReadonlyArray<number> },
  killedAt: number,
  untilMs: number
): TakeOvers => {
  const calls = closed.filter((at) => at >= killedAt && at < killedAt + endWithinMs).length
  const ms = opened.filter((at) => at >= killedAt && at < untilMs).map((at) => at - killedAt)
  return { calls, ms: ms.toSorted((one, other) => one - other).slice(0, calls) }
}
