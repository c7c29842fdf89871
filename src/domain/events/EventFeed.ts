/**
 * Reading the event log. It has one order, `LogPlace`; only what is settled is read, so that nothing ever appears behind a reader: an event is
 * settled when no transaction under way can still come before it. Events of one transaction are in the order in which they were recorded.
 */
import { Context, type Effect, type Scope } from "effect"
import type { Event } from "./Event.ts"

/** A place in the log; both parts are whole numbers of 64 bits, as text. */
export interface LogPlace {
  readonly transaction: string
  readonly position: string
}

/** Before the first event. */
export const logStart: LogPlace = { transaction: "0", position: "0" }

/** Is `a` behind `b`? */
export const isBehind = (a: LogPlace, b: LogPlace): boolean =>
  a.transaction === b.transaction
    ? BigInt(a.position) > BigInt(b.position)
    : BigInt(a.transaction) > BigInt(b.transaction)

export interface LoggedEvent extends Event {
  readonly place: LogPlace
}

/** Settled events in order, and the place to go on from: that of the last one looked at, withdrawn ones included. */
export interface LogPart {
  readonly events: ReadonlyArray<LoggedEvent>
  readonly last: LogPlace
  /** As many as were asked for: there may be more. */
  readonly full: boolean
}

/** Port to the stored log. */
export class EventLog extends Context.Service<
  EventLog,
  {
    /** What settles from now on is behind this place. */
    readonly end: Effect.Effect<LogPlace>
    /** The next `most` events of an organization behind a place. */
    readonly read: (organizationId: string, after: LogPlace, most: number) => Effect.Effect<LogPart>
    /** `undefined`: the organization has no such event, or not any more. */
    readonly placeOf: (organizationId: string, eventId: string) => Effect.Effect<LogPlace | undefined>
    /** The organizations of the next `most` events of all, and where these end. */
    readonly news: (
      after: LogPlace,
      most: number
    ) => Effect.Effect<{ readonly organizations: ReadonlySet<string>; readonly last: LogPlace; readonly full: boolean }>
  }
>()("parley/domain/EventLog") {}

export interface Subscription {
  /** The next events in order, at once when there are any; empty after `waitMs` without. None is left out and none comes twice. */
  readonly next: (waitMs: number) => Effect.Effect<ReadonlyArray<LoggedEvent>>
}

/** What happens, as it settles: one look at the log for all that wait in this process. */
export class EventFeed extends Context.Service<
  EventFeed,
  {
    /** From `after` on; `undefined`: from now on. Lives as long as the scope. */
    readonly subscribe: (
      organizationId: string,
      after: LogPlace | undefined
    ) => Effect.Effect<Subscription, never, Scope.Scope>
    /** Calls `hear` with the organizations that have new events, as long as the scope lives. Events from before are not told. */
    readonly onNews: (hear: (organizations: ReadonlySet<string>) => void) => Effect.Effect<void, never, Scope.Scope>
  }
>()("parley/domain/EventFeed") {}
