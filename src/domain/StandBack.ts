/**
 * Work that nobody waits for stands back behind work that somebody does: a few at a time, so that a caller's request meets little of it in the
 * database and in the event loop. It is put off, not put away: what has waited for long goes ahead whatever else is under way, so the pace of
 * a slow database is not its limit.
 */
import { Deferred, Effect } from "effect"

export interface StandBackOptions {
  /** So many at a time, as long as the others have not waited for long. */
  readonly atOnce: number
  /** Milliseconds until one goes ahead without its turn. */
  readonly longestMs: number
}

/** Gives what makes an effect wait for its turn, first come, first served. */
export const makeStandBack = ({ atOnce, longestMs }: StandBackOptions) => {
  let underWay = 0
  let line: Array<Deferred.Deferred<void>> = []

  const leave = Effect.sync(() => {
    underWay--
    const next = underWay < atOnce ? line.shift() : undefined
    if (next !== undefined) Deferred.doneUnsafe(next, Effect.void)
  })
  const inTurn = Effect.suspend(() => {
    if (underWay < atOnce && line.length === 0) return Effect.void
    const turn = Deferred.makeUnsafe<void>()
    line.push(turn)
    return Effect.timeoutOption(Deferred.await(turn), longestMs).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          line = line.filter((other) => other !== turn)
        })
      )
    )
  })

  return <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(inTurn), () => {
        underWay++
        return Effect.ensuring(restore(work), leave)
      })
    )
}
