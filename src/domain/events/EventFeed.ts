/**
 * Reads the event log, which is ordered by `LogPlace`. Only settled events are read: an event is settled when no running transaction can still add
 * one before it. So no event appears at a place that a reader has passed. Events of one transaction keep the order in which they were recorded.
 */
import { Context, type Effect, type Scope } from "effect"
import type { Event, EventType } from "./Event.ts"
import type { PassingEvent } from "./PassingEvent.ts"

/** A place in the log. Both parts are 64-bit integers, as text. */
export interface LogPlace {
  readonly transaction: string
  readonly position: string
}

/** The place before the first event. */
export const logStart: LogPlace = { transaction: "0", position: "0" }

/** Whether `a` comes after `b` in the log. */
export const isBehind = (a: LogPlace, b: LogPlace): boolean =>
  a.transaction === b.transaction
    ? BigInt(a.position) > BigInt(b.position)
    : BigInt(a.transaction) > BigInt(b.transaction)

export interface LoggedEvent extends Event {
  readonly place: LogPlace
}

/** Settled events in order, and the place to continue from: that of the last event that was looked at, withdrawn ones included. */
export interface LogPart {
  readonly events: ReadonlyArray<LoggedEvent>
  readonly last: LogPlace
  /** Whether the limit was reached, so that there may be more events. */
  readonly full: boolean
}

/** Port of the stored log. */
export class EventLog extends Context.Service<
  EventLog,
  {
    /** The current end of the log: all events that settle from now on come after this place. */
    readonly end: Effect.Effect<LogPlace>
    /** The next `most` events of an organization after a place. */
    readonly read: (organizationId: string, after: LogPlace, most: number) => Effect.Effect<LogPart>
    /** The place of an event; `undefined` when the organization has no such event, or not any more. */
    readonly placeOf: (organizationId: string, eventId: string) => Effect.Effect<LogPlace | undefined>
    /** The newest `most` events of a type, newest first. It looks at the newest 10,000 events of the organization only. */
    readonly newest: (organizationId: string, type: EventType, most: number) => Effect.Effect<ReadonlyArray<Event>>
    /** The organizations of the next `most` events of all organizations, and the place where these events end. */
    readonly news: (
      after: LogPlace,
      most: number
    ) => Effect.Effect<{ readonly organizations: ReadonlySet<string>; readonly last: LogPlace; readonly full: boolean }>
  }
>()("parley/domain/EventLog") {}

/** What a subscriber gets: an event of the log, or one that passes and has no place in it. */
export type FeedEvent = LoggedEvent | PassingEvent

/** An open subscription to one organization's events. */
export interface Subscription {
  /**
   * The next events in order, at once when there are any; empty after `waitMs` milliseconds without one. Each event of the log comes exactly once;
   * passing events come among them, unless the subscriber is too slow.
   */
  readonly next: (waitMs: number) => Effect.Effect<ReadonlyArray<FeedEvent>>
}

/** The live feed of settled events. One read of the log serves all subscribers of this process. */
export class EventFeed extends Context.Service<
  EventFeed,
  {
    /** Subscribes to the events after a place; `undefined`: to events from now on. It ends with the scope. */
    readonly subscribe: (
      organizationId: string,
      after: LogPlace | undefined
    ) => Effect.Effect<Subscription, never, Scope.Scope>
    /** Calls `hear` with the organizations that have new events, until the scope ends. Earlier events do not count. */
    readonly onNews: (hear: (organizations: ReadonlySet<string>) => void) => Effect.Effect<void, never, Scope.Scope>
  }
>()("parley/domain/EventFeed") {}
