/**
 * What many ask of the database at the same moment, for one organization, done by one statement: a statement, its commit and the wait for the
 * disk cost more than what one asks for. Nobody waits for company: what comes while statements are under way is what the next one takes.
 */
import { Cause, Effect, Exit, FiberSet, Option } from "effect"
import type { SqlError } from "effect/sql"
import { CurrentTenant } from "./Tenant.ts"

/** Of one organization, under way at a time. */
const atOnce = 2
/** Done by one statement. */
const most = 64

/** One statement for all of these; gives as many results, in their order. */
type Statement<In, Out> = (
  organizationId: string,
  inputs: ReadonlyArray<In>
) => Effect.Effect<ReadonlyArray<Out>, SqlError.SqlError>

interface Waiting<In, Out> {
  readonly input: In
  readonly resume: (answer: Effect.Effect<Out, SqlError.SqlError>) => void
}

/** What waits of one organization, and how many fibers take from it. */
interface Line<In, Out> {
  waiting: Array<Waiting<In, Out>>
  takers: number
}

/** Gives what does `run` for one: with others, or inside a transaction as a statement of that. */
export const makeBatching = Effect.fnUntraced(function* <In, Out>(run: Statement<In, Out>) {
  const runFork = yield* FiberSet.makeRuntime()
  const lines = new Map<string, Line<In, Out>>()
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const { waiting } of lines.values()) for (const { resume } of waiting) resume(Effect.interrupt)
    })
  )

  const together = (organizationId: string, asked: ReadonlyArray<Waiting<In, Out>>): Effect.Effect<void> =>
    Effect.onExit(
      run(
        organizationId,
        asked.map(({ input }) => input)
      ),
      (exit) => {
        if (Exit.isSuccess(exit))
          return Effect.sync(() => {
            for (const [i, { resume }] of asked.entries()) resume(Effect.succeed(exit.value[i]))
          })
        // One that cannot be done spoils nothing but itself.
        if (asked.length > 1 && !Cause.hasInterrupts(exit.cause))
          return Effect.forEach(asked, (one) => together(organizationId, [one]), { discard: true })
        return Effect.sync(() => {
          for (const { resume } of asked) resume(Effect.failCause(exit.cause))
        })
      }
    ).pipe(Effect.exit, Effect.asVoid)

  const take = Effect.fnUntraced(function* (organizationId: string, line: Line<In, Out>) {
    // Those who ask in this turn of the event loop come along.
    yield* Effect.yieldNow
    while (true) {
      const asked = line.waiting.splice(0, most)
      if (asked.length === 0) {
        if (--line.takers === 0) lines.delete(organizationId)
        return
      }
      yield* together(organizationId, asked)
    }
  })

  const shared = (organizationId: string, input: In) =>
    Effect.callback<Out, SqlError.SqlError>((resume) => {
      const one = { input, resume }
      const line = lines.get(organizationId) ?? { waiting: [], takers: 0 }
      lines.set(organizationId, line)
      line.waiting.push(one)
      if (line.takers < atOnce) {
        line.takers++
        runFork(take(organizationId, line))
      }
      return Effect.sync(() => {
        line.waiting = line.waiting.filter((other) => other !== one)
      })
    })

  return (organizationId: string, input: In): Effect.Effect<Out, SqlError.SqlError> =>
    Effect.flatMap(Effect.serviceOption(CurrentTenant), (transaction) =>
      Option.isSome(transaction)
        ? Effect.map(run(organizationId, [input]), ([answer]) => answer)
        : shared(organizationId, input)
    )
})
