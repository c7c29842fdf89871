/**
 * How long events are kept, and taking away what is older with its deliveries. Whoever comes back to the live feed, or replays a webhook, finds
 * what is kept. Answers of customers' servers are forgotten sooner.
 */
import { Context, Effect } from "effect"
import { inBatches } from "./InBatches.ts"

/** How long the beginning of an answer stays in the log of deliveries. */
const responseDays = 7

const dayMs = 86_400_000

export interface EventCounts {
  readonly events: number
  /** Answers taken out of deliveries that stay. */
  readonly responses: number
}

/** Port to the store. What is older than its instant (Unix milliseconds) goes, what is just as old stays; each removal takes at most `most`. */
export class ExpiredEvents extends Context.Service<
  ExpiredEvents,
  {
    readonly count: (
      organizationId: string,
      eventsBefore: number,
      responsesBefore: number
    ) => Effect.Effect<EventCounts>
    /** With their deliveries. An event that is still on its way to somebody stays until that is over. */
    readonly removeEvents: (organizationId: string, before: number, most: number) => Effect.Effect<number>
    readonly forgetResponses: (organizationId: string, before: number, most: number) => Effect.Effect<number>
  }
>()("parley/domain/ExpiredEvents") {}

const batch = 1_000

/** Needs ExpiredEvents once; both functions take the days to keep and `now` in Unix milliseconds. Safe to repeat and to stop anywhere. */
export const makeExpireEvents = Effect.map(ExpiredEvents, (events) => {
  const cutoffs = (days: number, now: number) => [now - days * dayMs, now - responseDays * dayMs] as const
  return {
    /** What `expire` would take away. */
    count: (organizationId: string, days: number, now: number) => events.count(organizationId, ...cutoffs(days, now)),
    expire: Effect.fn("Events.expire")(function* (organizationId: string, days: number, now: number) {
      const [before, responsesBefore] = cutoffs(days, now)
      return {
        events: yield* inBatches(batch, events.removeEvents(organizationId, before, batch)),
        responses: yield* inBatches(batch, events.forgetResponses(organizationId, responsesBefore, batch))
      } satisfies EventCounts
    })
  }
})
