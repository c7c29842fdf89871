/**
 * Two priorities of work in one process. Work that a caller waits for (`ahead`) runs at once. Other work (`behind`) runs a few at a time, and only
 * while no caller waits, so that it takes little of the database and the event loop from callers. Work that has waited for `longestMs` runs anyway:
 * neither an endless row of callers nor a slow database can stop it for ever. Work of one `thread` comes in order, each after the one before: when
 * one has waited for `longestMs`, what follows it in its thread does not wait again for as long.
 */
import { Context, Deferred, Effect, Layer, Option } from "effect"

export interface PrecedenceOptions {
  /** How many effects `behind` run at a time. Those that have waited for `longestMs` come on top. */
  readonly atOnce: number
  /** Milliseconds after which an effect `behind` runs without its turn. */
  readonly longestMs: number
}

export const makePrecedence = ({ atOnce, longestMs }: PrecedenceOptions): Precedence["Service"] => {
  let ahead = 0
  let underWay = 0
  const line = new Set<Deferred.Deferred<void>>()
  /** Threads whose work has waited long enough, and until when the rest of it does not wait. In the order of that time. */
  const waitedLong = new Map<string, number>()
  const mayPass = (thread: string, now: number) => {
    for (const [name, until] of waitedLong) {
      if (until > now) break
      waitedLong.delete(name)
    }
    return waitedLong.has(thread)
  }

  const callNext = () => {
    let room = ahead === 0 ? atOnce - underWay : 0
    for (const turn of line) {
      if (room-- <= 0) return
      line.delete(turn)
      Deferred.doneUnsafe(turn, Effect.void)
    }
  }
  const inTurn = (thread: string) =>
    Effect.clockWith((clock) => {
      if (ahead === 0 && underWay < atOnce && line.size === 0) return Effect.void
      if (mayPass(thread, clock.currentTimeMillisUnsafe())) return Effect.void
      const turn = Deferred.makeUnsafe<void>()
      line.add(turn)
      return Effect.timeoutOption(Deferred.await(turn), longestMs).pipe(
        Effect.tap((came) =>
          Effect.sync(() => {
            if (Option.isSome(came)) return
            waitedLong.delete(thread)
            waitedLong.set(thread, clock.currentTimeMillisUnsafe() + longestMs)
          })
        ),
        Effect.ensuring(Effect.sync(() => line.delete(turn))),
        // Its turn may have come already: then the next one gets it.
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
    behind: (work, thread) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(inTurn(thread)), () => {
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
    /** Runs the work at once. Until it ends, no work `behind` starts. */
    readonly ahead: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Waits for a free place while no caller waits, at most `longestMs`, then runs the work. `thread` names what the work is a part of. */
    readonly behind: <A, E, R>(work: Effect.Effect<A, E, R>, thread: string) => Effect.Effect<A, E, R>
  }
>()("parley/domain/Precedence") {
  static readonly layer = (options: PrecedenceOptions): Layer.Layer<Precedence> =>
    Layer.sync(Precedence, () => makePrecedence(options))
}
