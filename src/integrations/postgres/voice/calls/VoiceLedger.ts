/**
 * The ledger of calls: one row per call, even when events are repeated. The row is written in the transaction that changes the call's duration, so a
 * call is both ended and counted, or neither. Minutes beyond the allowance are computed on reading: calls use the allowance in the order of their
 * beginning, so a call that is reported late still gets its correct place.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { VoiceFamily } from "../../../../domain/ai/providers/Speech.ts"
import { dayAt } from "../../../../domain/basics/Calendar.ts"
import { Plan, voiceTermsOf } from "../../../../domain/people/organizations/Organization.ts"
import { VoiceTerms } from "../../../../domain/people/organizations/VoiceTerms.ts"
import { billedMinutes, completedSeconds, providerCost } from "../../../../domain/usage/Metering.ts"

/** The data that decide the cost of a call. */
export interface LedgerFacts {
  readonly organizationId: string
  readonly agentId: string | null
  readonly startedAt: Date
  readonly durationSeconds: number | null
  /** A test call costs nothing. */
  readonly test: boolean
  readonly family: VoiceFamily | null
  readonly timeZone: string
  readonly plan: unknown
  readonly voiceTerms: unknown
}

const decodeTerms = Schema.decodeUnknownEffect(Schema.Struct({ plan: Plan, voiceTerms: Schema.NullOr(VoiceTerms) }))

/** The entry in the form that the database function `enter_in_ledger` takes; null when there is nothing to count. */
export const ledgerEntry = Effect.fnUntraced(function* (callId: string, facts: LedgerFacts) {
  const seconds = completedSeconds(facts.durationSeconds ?? 0)
  if (seconds === 0 || facts.test) return null
  const { organizationId, agentId, startedAt, timeZone } = facts
  const { minutesPerMonth, overageMicrosPerMinute } = voiceTermsOf(yield* decodeTerms(facts))
  // If the agent was removed during the call, its family is unknown, and the more expensive of the two locked families is assumed.
  const family = facts.family ?? "english"
  return {
    organizationId,
    callId,
    agentId,
    family,
    startedAt,
    day: dayAt(startedAt.getTime(), timeZone),
    seconds,
    minutes: billedMinutes(seconds),
    minutesPerMonth,
    overageMicrosPerMinute,
    ...providerCost(seconds, family)
  }
})

/** Counts a call with its current duration. A longer duration later replaces it; terms and day stay those of the first entry. */
export const enterCall = Effect.fnUntraced(function* (sql: PgClient.PgClient, callId: string) {
  const [facts] =
    yield* sql<LedgerFacts>`SELECT c.organization_id, c.agent_id, coalesce(c.started_at, c.created_at) AS started_at,
      c.duration_seconds, c.test, a.settings ->> 'voiceFamily' AS family, o.time_zone, o.plan, o.voice_terms
    FROM calls c JOIN organizations o ON o.id = c.organization_id
      LEFT JOIN voice_agents a ON a.organization_id = c.organization_id AND a.id = c.agent_id
    WHERE c.id = ${callId}`
  const entry = facts === undefined ? null : yield* ledgerEntry(callId, facts)
  if (entry !== null) yield* sql`SELECT enter_in_ledger(${sql.json(entry)}::jsonb)`
})

/**
 * The ledger's rows with `overage`: the minutes of each call that lie beyond the month's allowance after the calls before it. `within` is an SQL
 * condition that must select whole months.
 */
export const charged = (sql: PgClient.PgClient, within: Fragment) => sql`(
  SELECT m.*, LEAST(minutes, GREATEST(0, used - minutes_per_month)) AS overage FROM (
    SELECT l.*, sum(minutes) OVER (PARTITION BY date_trunc('month', day::timestamp) ORDER BY started_at, call_id) AS used
    FROM voice_ledger l WHERE ${within}) m)`

/** An SQL condition for the whole months from the day `from` to the day `to`. */
export const monthsOf = (sql: PgClient.PgClient, from: Fragment, to: Fragment) =>
  sql`day >= date_trunc('month', ${from}::timestamp)::date
    AND day < (date_trunc('month', ${to}::timestamp) + interval '1 month')::date`

/** The columns of a `Charge`, aggregated over `charged` rows named `c`. */
export const chargeColumns = `count(*)::float8 AS calls, coalesce(sum(c.seconds), 0)::float8 AS seconds,
  coalesce(sum(c.minutes), 0)::float8 AS minutes, coalesce(sum(c.overage), 0)::float8 AS overage_minutes,
  coalesce(sum(c.overage * c.overage_micros_per_minute), 0)::float8 AS price_micros,
  coalesce(sum(c.speech_to_text_micros), 0)::float8 AS speech_to_text_micros,
  coalesce(sum(c.language_model_micros), 0)::float8 AS language_model_micros,
  coalesce(sum(c.text_to_speech_micros), 0)::float8 AS text_to_speech_micros`
