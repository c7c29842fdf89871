/**
 * The queue of what providers have told us by webhooks. Many workers may run: a claim keeps its arrivals from the others until its lease ends. The arrivals
 * of a lane are read one after the other, in the order in which they came. Times are Unix milliseconds.
 */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../basics/Examples.ts"
import type { FairWork } from "../basics/FairWork.ts"
import type { Page } from "../basics/Listing.ts"
import type { StoredConnection } from "./AppConnection.ts"
import type { AppArrival } from "./AppInbound.ts"
import type { HeardEntry } from "./HeardLog.ts"
import type { SyncOutcome } from "./SyncVerdict.ts"

/** An arrival as it is shown. Its content is not: it may say anything of anybody. */
export const ShownArrival = Schema.Struct({
  id: Schema.String,
  /** The provider's id of the event. */
  eventId: Schema.String,
  topic: Schema.String,
  /** `waiting`: it is still to be read. `problem`: it was given up; it can be read again. */
  state: Schema.Literals(["waiting", "done", "problem"]),
  /** How often reading it has failed. */
  attempts: Schema.Int,
  /** Why, as a sentence. */
  error: Schema.NullOr(Schema.String),
  /** When it happened there, if the provider says so. */
  happenedAt: Schema.NullOr(Schema.String),
  createdAt: Schema.String
}).annotate({
  title: "IntegrationArrival",
  examples: [
    {
      id: exampleIds.arrival,
      eventId: "b54557e4-bdd9-4b37-8a5f-bf7d70bcd043",
      topic: "orders/create",
      state: "problem",
      attempts: 1,
      error: "This is not an order.",
      happenedAt: "2026-11-21T09:29:59.000Z",
      createdAt: "2026-11-21T09:30:00.000Z"
    }
  ]
})
export type ShownArrival = typeof ShownArrival.Type

export interface ClaimedArrival {
  readonly id: string
  /** How often it was claimed, with this time. */
  readonly claims: number
  /** How often it failed. */
  readonly failures: number
  readonly arrival: AppArrival
}

export interface ArrivalClaim {
  readonly connection: StoredConnection
  readonly arrivals: ReadonlyArray<ClaimedArrival>
}

export interface ArrivalResult {
  readonly outcome: SyncOutcome
  readonly exchanges: ReadonlyArray<HeardEntry>
}

/** What waits of one connection at most: arrivals, and bytes of their contents. Whoever knows its address and secret cannot fill the database. */
export const mostWaiting = { arrivals: 10_000, bytes: 100 * 1024 * 1024 } as const
/** The newest problems of a connection that are kept. */
export const keptProblems = 10_000

/** So much of the connection waits already that nothing more is taken: the provider has to send it again. */
export class ArrivalsFull extends Schema.TaggedError<ArrivalsFull>()("ArrivalsFull", {}) {}

export class ArrivalQueue extends Context.Service<
  ArrivalQueue,
  {
    /** Stores what has arrived, each event once, or nothing; gives how many are new. */
    readonly store: (
      connection: Pick<StoredConnection, "organizationId" | "id">,
      arrivals: ReadonlyArray<AppArrival>,
      now: number
    ) => Effect.Effect<number, ArrivalsFull>
    /** Connections with due arrivals; each is a lane. */
    readonly due: FairWork["due"]
    /** Claims at most `most` due arrivals of a connection for `leaseMs`. */
    readonly claim: (
      organizationId: string,
      connectionId: string,
      now: number,
      leaseMs: number,
      most: number
    ) => Effect.Effect<ArrivalClaim | undefined>
    /** Stores what became of an arrival. It changes nothing when another process has claimed it meanwhile. */
    readonly settle: (
      connection: StoredConnection,
      claimed: ClaimedArrival,
      result: ArrivalResult,
      now: number
    ) => Effect.Effect<void>
    /** What has arrived, newest first; with `problems` only what was given up. */
    readonly list: (
      organizationId: string,
      connectionId: string,
      problems: boolean,
      page: number,
      limit: number
    ) => Effect.Effect<Page<ShownArrival>>
    /** Reads a problem again, or (without an id) all of them; gives how many. */
    readonly replay: (
      organizationId: string,
      connectionId: string,
      arrivalId: string | undefined,
      now: number
    ) => Effect.Effect<number>
  }
>()("parley/domain/ArrivalQueue") {}
