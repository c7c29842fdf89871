/**
 * Work that waits in the database, in lanes (an endpoint, a connection) of organizations. Each item has its own fiber. Only a few run at a time per lane
 * and organization, so that a slow or dead neighbour does not delay others, and all slow lanes together have a part of the process. Several processes may run
 * it: a claim keeps an item from the others.
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

/** Lanes that one look takes, and of how many items are claimed at the same time: a claim waits for the disk of the database. */
const lanesAtOnce = 500
const claimsAtOnce = 8
/** A look asks the database about all lanes: what ends or comes within this time is one look. */
const gatherMs = 20
/** An item that takes longer makes its lane slow. */
const slowAfterMs = 5_000
/** The share of the process that all slow lanes have together. */
const slowShare = 4
/** Of so many lanes it is remembered how fast they are. */
const mostKnown = 10_000

/** Counts running items by name. */
const makeTally = () => {
  const running = new Map<string, number>()
  const of = (name: string) => running.get(name) ?? 0
  const add = (name: string, change: number) => {
    const left = of(name) + change
    if (left === 0) running.delete(name)
    else running.set(name, left)
  }
  return { of, add, names: () => [...running.keys()] }
}

/**
 * How fast lanes are, by their newest item. A lane of which nothing is known gets one item at a time, so that many dead neighbours do not take the whole process
 * at once.
 */
const makeSpeeds = () => {
  const known = new Map<string, "quick" | "slow">()
  const note = (lane: string, speed: "quick" | "slow") => {
    known.delete(lane)
    known.set(lane, speed)
    const [oldest] = known.keys()
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
  }
  const slow = () => [...known].flatMap(([lane, speed]) => (speed === "slow" ? [lane] : []))
  return { of: (lane: string) => known.get(lane), note, slow }
}

interface Item {
  readonly lane: string
  readonly at: number
}

/** Starts the work in the scope. Gives an effect that says that there may be new work. */
export const startFairWork = Effect.fnUntraced(function* ({ what, most, lookEveryMs, due, claim }: FairWork) {
  const running = yield* FiberSet.make()
  const items = new Set<Item>()
  /** What runs, and what may be claimed just now. */
  const lanes = makeTally()
  const organizations = makeTally()
  const all = makeTally()
  const speeds = makeSpeeds()
  const signal = yield* Queue.sliding<void>(1)

  const hold = ({ organizationId, lane }: Lane, change: number) => {
    lanes.add(lane, change)
    organizations.add(organizationId, change)
    all.add("process", change)
  }

  const run = (from: Lane, work: Effect.Effect<void>, at: number) => {
    const item = { lane: from.lane, at }
    items.add(item)
    return work.pipe(
      // An item whose outcome cannot be stored is claimed again when its lease ends.
      Effect.catchCause((cause) =>
        Effect.logWarning(`one of the ${what} could not be noted`, { lane: from.lane }, cause)
      ),
      Effect.ensuring(
        Effect.map(Clock.currentTimeMillis, (now) => {
          items.delete(item)
          hold(from, -1)
          speeds.note(from.lane, now - at < slowAfterMs ? "quick" : "slow")
          Queue.offerUnsafe(signal, undefined)
        })
      )
    )
  }

  /** How many more items of slow lanes may run. */
  const slowRoom = () =>
    Math.ceil(most.perProcess / slowShare) - [...items].filter(({ lane }) => speeds.of(lane) === "slow").length

  const roomOf = ({ organizationId, lane }: Lane): number => {
    const speed = speeds.of(lane)
    return Math.min(
      most.perProcess - all.of("process"),
      most.perOrganization - organizations.of(organizationId),
      (speed === "quick" ? most.perLane : 1) - lanes.of(lane),
      speed === "slow" ? slowRoom() : most.perProcess
    )
  }

  const take = Effect.fnUntraced(function* (from: Lane) {
    const busy = lanes.of(from.lane)
    const room = roomOf(from)
    if (room <= 0) return
    hold(from, room)
    const now = yield* Clock.currentTimeMillis
    const works = yield* Effect.onError(claim(from, now, { most: room, busy }), () =>
      Effect.sync(() => hold(from, -room))
    )
    hold(from, works.length - room)
    for (const work of works) yield* FiberSet.run(running, run(from, work, now))
  })

  /** An error of one lane does not affect the others. */
  const takeOrComplain = (from: Lane) =>
    Effect.catchCause(take(from), (cause) =>
      Effect.logError(`${what} could not be taken`, { organizationId: from.organizationId, lane: from.lane }, cause)
    )

  const look = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (const { lane, at } of items) if (now - at >= slowAfterMs) speeds.note(lane, "slow")
    const full = lanes.names().filter((name) => lanes.of(name) >= (speeds.of(name) === "quick" ? most.perLane : 1))
    // Those that can get nothing would hide the others behind them.
    const without = slowRoom() > 0 ? full : [...new Set([...full, ...speeds.slow()])]
    yield* Effect.forEach(yield* due(now, without, lanesAtOnce), takeOrComplain, {
      concurrency: claimsAtOnce,
      discard: true
    })
  })

  const rhythm = { every: lookEveryMs, wake: Effect.andThen(Queue.take(signal), Effect.sleep(gatherMs)) }
  yield* periodically(`${what}: could not look for what is due`, rhythm, look)
  return Effect.asVoid(Queue.offer(signal, undefined))
})
