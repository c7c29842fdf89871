/**
 * Work that waits in the database, in lanes (an endpoint, a connection) of organizations. Each item has its own fiber. Only a few run at a time per lane
 * and organization, so that a slow or dead neighbour does not delay others. Several processes may run it: a claim keeps an item from the others.
 */
import { Clock, Effect, FiberSet, Queue } from "effect"
import { periodically } from "./Periodically.ts"

export interface Lane {
  readonly organizationId: string
  readonly lane: string
}

export interface FairWork {
  /** What an item is, in plural, for the log: `deliveries of a webhook endpoint`. */
  readonly what: string
  /** The most items at a time in this process. */
  readonly most: { readonly perLane: number; readonly perOrganization: number; readonly perProcess: number }
  readonly lookEveryMs: number
  /** Lanes with work that is due, the longest due first, except those in `full`. */
  readonly due: (now: number, full: ReadonlyArray<string>, most: number) => Effect.Effect<ReadonlyArray<Lane>>
  /** Claims items of a lane: gives the work of each. `busy`: so many of the lane run here already. */
  readonly claim: (
    lane: Lane,
    now: number,
    room: { readonly most: number; readonly busy: number }
  ) => Effect.Effect<ReadonlyArray<Effect.Effect<void>>>
}

/** Lanes that one look takes. */
const lanesAtOnce = 500

/** Counts running items by name. */
const makeTally = () => {
  const running = new Map<string, number>()
  const of = (name: string) => running.get(name) ?? 0
  const add = (name: string, change: 1 | -1) => {
    const left = of(name) + change
    if (left === 0) running.delete(name)
    else running.set(name, left)
  }
  return { of, add, names: () => [...running.keys()] }
}

/** Starts the work in the scope. Gives an effect that says that there may be new work. */
export const startFairWork = Effect.fnUntraced(function* ({ what, most, lookEveryMs, due, claim }: FairWork) {
  const running = yield* FiberSet.make()
  const lanes = makeTally()
  const organizations = makeTally()
  const signal = yield* Queue.sliding<void>(1)

  const run = ({ organizationId, lane }: Lane, work: Effect.Effect<void>) =>
    work.pipe(
      // An item whose outcome cannot be stored is claimed again when its lease ends.
      Effect.catchCause((cause) => Effect.logWarning(`one of the ${what} could not be noted`, { lane }, cause)),
      Effect.ensuring(
        Effect.sync(() => {
          lanes.add(lane, -1)
          organizations.add(organizationId, -1)
          Queue.offerUnsafe(signal, undefined)
        })
      )
    )

  const take = Effect.fnUntraced(function* (from: Lane, left: number) {
    const busy = lanes.of(from.lane)
    const room = Math.min(left, most.perOrganization - organizations.of(from.organizationId), most.perLane - busy)
    if (room <= 0) return
    for (const work of yield* claim(from, yield* Clock.currentTimeMillis, { most: room, busy })) {
      lanes.add(from.lane, 1)
      organizations.add(from.organizationId, 1)
      yield* FiberSet.run(running, run(from, work))
    }
  })

  /** An error of one lane does not affect the others. */
  const takeOrComplain = (from: Lane, left: number) =>
    Effect.catchCause(take(from, left), (cause) =>
      Effect.logError(`${what} could not be taken`, { organizationId: from.organizationId, lane: from.lane }, cause)
    )

  const look = Effect.gen(function* () {
    const full = lanes.names().filter((name) => lanes.of(name) >= most.perLane)
    for (const from of yield* due(yield* Clock.currentTimeMillis, full, lanesAtOnce)) {
      const left = most.perProcess - (yield* FiberSet.size(running))
      if (left <= 0) return
      yield* takeOrComplain(from, left)
    }
  })

  const rhythm = { every: lookEveryMs, wake: Queue.take(signal) }
  yield* periodically(`${what}: could not look for what is due`, rhythm, look)
  return Effect.asVoid(Queue.offer(signal, undefined))
})
