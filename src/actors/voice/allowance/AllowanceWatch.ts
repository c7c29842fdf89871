/**
 * Looks whether organizations have used their voice minutes: soon after something has happened in one, and in all at the start and every hour. So nothing is
 * added to the end of a call, and nothing is missed when a process dies.
 */
import { Clock, type Duration, Effect, Layer, Stream } from "effect"
import { periodically } from "../../../domain/basics/Periodically.ts"
import { EventFeed } from "../../../domain/events/EventFeed.ts"
import { everyOrganization, Organizations } from "../../../domain/people/organizations/Organization.ts"
import { VoiceAllowances } from "../../../domain/usage/VoiceAllowance.ts"

export interface AllowanceWatchOptions {
  /** How often it looks at organizations in which something has happened. Default 30 seconds. */
  readonly every?: Duration.Input
}

/** Needs EventFeed, Organizations and VoiceAllowances. */
export const layer = ({ every = "30 seconds" }: AllowanceWatchOptions = {}) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const feed = yield* EventFeed
      const organizations = yield* Organizations
      const allowances = yield* VoiceAllowances
      let news = new Set<string>()
      yield* feed.onNews((told) => {
        for (const organizationId of told) news.add(organizationId)
      })
      const look = (organizationId: string) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => allowances.tell(organizationId, now))
      yield* periodically(
        "voice minutes could not be looked at",
        { every: "1 hour" },
        Stream.runForEach(everyOrganization(organizations), look)
      )
      yield* periodically(
        "voice minutes could not be looked at",
        { every, first: every },
        Effect.suspend(() => {
          const told = news
          news = new Set()
          return Effect.forEach(told, look, { discard: true })
        })
      )
    })
  )
