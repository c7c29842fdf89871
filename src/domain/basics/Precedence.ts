/**
 * Who goes first: work that a caller waits for, before work that nobody waits for. What stands behind runs a few at a time and while no caller waits, so
 * that a caller meets little of it in the database and in the event loop. It is put off, not put away: what has waited for long goes on whatever
 * else is under way, so neither callers without end nor a slow database hold it up for ever.
 */
import { Context, Deferred, Effect, Layer } from "effect"

export interface PrecedenceOptions {
  /** So many of those behind at a time, as long as the others have not waited for long. */
  readonly atOnce: number
  /** Milliseconds until one of those behind goes on without its turn. */
  readonly longestMs: number
}

export const makePrecedence = ({ atOnce, longestMs }: PrecedenceOptions): Precedence["Service"] => {
  let ahead = 0
  let underWay = 0
  const line = new Set<Deferred.Deferred<void>>()

  const callNext = () => {
    let room = ahead === 0 ? atOnce - underWay : 0
    for (const turn of line) {
      if (room-- <= 0) return
      line.delete(turn)
      Deferred.doneUnsafe(turn, Effect.void)
    }
  }
  const inTurn = Effect.suspend(() => {
    if (ahead === 0 && underWay < atOnce && line.size === 0) return Effect.void
    const turn = Deferred.makeUnsafe<void>()
    line.add(turn)
    return Effect.timeoutOption(Deferred.await(turn), longestMs).pipe(
      Effect.ensuring(Effect.sync(() => line.delete(turn))),
      // It may have been this one's turn already.
      Effect.onInterrupt(() => Effect.sync(callNext))
    )
  })

  return {
    ahead: (work) =>
      Effect.suspend(() => {
        ahead++
        return Effect.ensuring(
          work,
          Effect.sync(() => {
            ahead--
            callNext()
          })
        )
      }),
    behind: (work) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(inTurn), () => {
          underWay++
          return Effect.ensuring(
            restore(work),
            Effect.sync(() => {
              underWay--
              callNext()
            })
          )
        })
      )
  }
}

export class Precedence extends Context.Service<
  Precedence,
  {
    readonly ahead: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    readonly behind: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("parley/domain/Precedence") {
  static readonly layer = (options: PrecedenceOptions): Layer.Layer<Precedence> =>
    Layer.sync(Precedence, () => makePrecedence(options))
}
