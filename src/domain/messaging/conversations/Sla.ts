/**
 * When a conversation is due to be answered and resolved. Pure: times are Unix milliseconds. The stored due times decide.
 *
 * Both clocks start when the contact writes in a conversation that is new or was resolved. The first answer stops the response clock; resolving
 * stops both. A person who reopens a conversation starts only the resolution clock. Each due time is missed at most once.
 */
import { Schema } from "effect"
import { afterOpenTime, type BusinessHours } from "../../people/organizations/BusinessHours.ts"
import type { SlaPolicy } from "../../people/organizations/SlaPolicy.ts"

/** What decides due times: the policy, and the organization's business hours and time zone. */
export interface SlaTerms {
  readonly policy: SlaPolicy
  readonly businessHours: BusinessHours | null
  readonly timeZone: string
}

/** The state of both clocks of a conversation; null where a time does not apply. */
export interface SlaClock {
  /** When the clocks started; null: they do not run. */
  readonly since: number | null
  readonly responseDueAt: number | null
  readonly resolutionDueAt: number | null
  readonly responseBreachedAt: number | null
  readonly resolutionBreachedAt: number | null
}

export const stoppedClock: SlaClock = {
  since: null,
  responseDueAt: null,
  resolutionDueAt: null,
  responseBreachedAt: null,
  resolutionBreachedAt: null
}

export const SlaTarget = Schema.Literals(["first_response", "resolution"])
export type SlaTarget = typeof SlaTarget.Type

export type SlaEvent =
  /** The contact wrote. */
  | "inbound"
  /** We wrote. */
  | "answered"
  | "resolved"
  | "reopened"

const dueAt = ({ policy, businessHours, timeZone }: SlaTerms, minutes: number | null, from: number): number | null => {
  if (minutes === null) return null
  return afterOpenTime(policy.businessHoursOnly ? businessHours : null, timeZone, from, minutes * 60_000) ?? null
}

const started = (terms: SlaTerms, at: number, awaitsAnswer: boolean): SlaClock => ({
  ...stoppedClock,
  since: at,
  responseDueAt: awaitsAnswer ? dueAt(terms, terms.policy.firstResponseMinutes, at) : null,
  resolutionDueAt: dueAt(terms, terms.policy.resolutionMinutes, at)
})

/** The clocks after an event at the time `at`. Without terms no clock starts; running clocks keep their due times until they stop. */
export const slaAfter = (clock: SlaClock, event: SlaEvent, terms: SlaTerms | null, at: number): SlaClock => {
  switch (event) {
    case "inbound":
      return clock.since !== null || terms === null ? clock : started(terms, at, true)
    case "reopened":
      return terms === null ? stoppedClock : started(terms, at, false)
    case "answered":
      return clock.responseDueAt === null ? clock : { ...clock, responseDueAt: null }
    case "resolved":
      return { ...clock, since: null, responseDueAt: null, resolutionDueAt: null }
  }
}

const missed = (dueAt: number | null, breachedAt: number | null, now: number): boolean =>
  dueAt !== null && breachedAt === null && dueAt <= now

/** The due times that have passed at `now` and were not missed before. Without terms nothing is missed, and the clocks stop. */
export const slaMissed = (
  clock: SlaClock,
  terms: SlaTerms | null,
  now: number
): { readonly clock: SlaClock; readonly targets: ReadonlyArray<SlaTarget> } => {
  if (terms === null)
    return { clock: clock.since === null ? clock : slaAfter(clock, "resolved", terms, now), targets: [] }
  const response = missed(clock.responseDueAt, clock.responseBreachedAt, now)
  const resolution = missed(clock.resolutionDueAt, clock.resolutionBreachedAt, now)
  return {
    clock: {
      ...clock,
      ...(response ? { responseBreachedAt: now } : {}),
      ...(resolution ? { resolutionBreachedAt: now } : {})
    },
    targets: [...(response ? ["first_response" as const] : []), ...(resolution ? ["resolution" as const] : [])]
  }
}

/** The first due time that was not missed yet; null when there is none. */
export const nextDue = (clock: SlaClock): number | null => {
  const pending = [
    ...(clock.responseDueAt !== null && clock.responseBreachedAt === null ? [clock.responseDueAt] : []),
    ...(clock.resolutionDueAt !== null && clock.resolutionBreachedAt === null ? [clock.resolutionDueAt] : [])
  ]
  return pending.length === 0 ? null : Math.min(...pending)
}
