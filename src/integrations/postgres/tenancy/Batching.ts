/**
 * Batches concurrent requests of one organization into one statement, because a statement, its commit and the wait for the disk cost more than a
 * single request. No request waits for others to join: the next statement takes the requests that came while statements were running.
 */
import { Cause, Effect, Exit, FiberSet, Option } from "effect"
import type { SqlError } from "effect/sql"
import { CurrentTenant } from "./CurrentTenant.ts"

/** The number of statements of one organization that may run at the same time. */
const atOnce = 2
/** The number of requests that one statement takes at most. */
const most = 64

/** Runs one statement for all inputs. Gives one result per input, in the same order. */
type Statement<In, Out> = (
  organizationId: string,
  inputs: ReadonlyArray<In>
) => Effect.Effect<ReadonlyArray<Out>, SqlError.SqlError>

interface Waiting<In, Out> {
  readonly input: In
  readonly resume: (answer: Effect.Effect<Out, SqlError.SqlError>) => void
}

/** The waiting requests of one organization, and the number of fibers that take from them. */
interface Line<In, Out> {
  waiting: Array<Waiting<In, Out>>
  takers: number
}

/** Takes some of those that wait out of the line: the oldest of each turn first, then the next of each. */
const takeInTurn = <A>(line: { waiting: Array<A> }, turnOf: (one: A) => string): ReadonlyArray<A> => {
  if (line.waiting.length <= most) return line.waiting.splice(0)
  const places = new Map<string, number>()
  const ranked = line.waiting.map((one, n) => {
    const place = places.get(turnOf(one)) ?? 0
    places.set(turnOf(one), place + 1)
    return { one, n, place }
  })
  const taken = new Set(
    ranked
      .toSorted((a, b) => a.place - b.place || a.n - b.n)
      .slice(0, most)
      .map(({ one }) => one)
  )
  line.waiting = line.waiting.filter((one) => !taken.has(one))
  return [...taken]
}

/** The line of what all organizations share. */
export const sharedLine = ""

/**
 * Like `makeBatching`, but one statement takes requests of several organizations: `run` is a function of the database that works as each of them in turn.
 * Requests of organizations are taken in turn, so that many of one do not delay the others.
 */
export const makeSharedBatching = Effect.fnUntraced(function* <In extends { readonly organizationId: string }, Out>(
  run: (inputs: ReadonlyArray<In>) => Effect.Effect<ReadonlyArray<Out>, SqlError.SqlError>
) {
  const batched = yield* makeBatching<In, Out>(
    (_, inputs) => run(inputs),
    ({ organizationId }) => organizationId
  )
  return (input: In) => batched(sharedLine, input)
})

/**
 * Gives a function that runs `run` for one input. Outside a transaction the input is batched with others of the same organization; inside a
 * transaction it is a statement of that transaction. `turnOf`: whose turn an input takes.
 */
export const makeBatching = Effect.fnUntraced(function* <In, Out>(
  run: Statement<In, Out>,
  turnOf: (input: In) => string = () => ""
) {
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
        // After a failure each request runs alone, so that one request does not fail the others.
        if (asked.length > 1 && !Cause.hasInterrupts(exit.cause))
          return Effect.forEach(asked, (one) => together(organizationId, [one]), { discard: true })
        return Effect.sync(() => {
          for (const { resume } of asked) resume(Effect.failCause(exit.cause))
        })
      }
    ).pipe(Effect.exit, Effect.asVoid)

  const take = Effect.fnUntraced(function* (organizationId: string, line: Line<In, Out>) {
    // This lets the requests of the same turn of the event loop join the batch.
    yield* Effect.yieldNow
    while (true) {
      const asked = takeInTurn(line, ({ input }) => turnOf(input))
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
