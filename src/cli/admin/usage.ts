/** The `parley admin` commands for usage: an organization's terms and AI tokens, and its minutes, price, costs and margin. */
import { Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { CalendarDate } from "../../domain/basics/Calendar.ts"
import { makeManageOrganization } from "../../domain/people/organizations/ManageOrganization.ts"
import {
  AiTokensPerMonth,
  aiTokensOf,
  ConcurrentCalls,
  concurrentCalls,
  type Organization,
  voiceTermsOf
} from "../../domain/people/organizations/Organization.ts"
import { VoiceTerms } from "../../domain/people/organizations/VoiceTerms.ts"
import { marginPercent, parseUsd, providerMicros, usd } from "../../domain/usage/Metering.ts"
import { makeUsageReport } from "../../domain/usage/UsageReport.ts"
import { AdminError, answer, existing, explained, json, organization } from "./shared.ts"

const amount = Effect.fnUntraced(function* (flag: string, text: string) {
  const micros = parseUsd(text)
  return (
    micros ?? (yield* new AdminError({ message: `--${flag} must be an amount in USD such as 0.12, not "${text}".` }))
  )
})

/** The organization's terms in force, as they are printed. */
export const shownTerms = (organization: Organization) => {
  const { minutesPerMonth, overageMicrosPerMinute } = voiceTermsOf(organization)
  return {
    minutesPerMonth,
    overageUsdPerMinute: usd(overageMicrosPerMinute),
    concurrentCalls: concurrentCalls(organization)
  }
}

export const setVoiceTerms = Command.make(
  "set-voice-terms",
  {
    organization,
    minutes: Flag.Int("minutes-per-month").pipe(Flag.withDescription("Minutes included in a month"), Flag.optional),
    overage: Flag.String("overage-usd-per-minute").pipe(
      Flag.withDescription("Price of a further minute, e.g. 0.09"),
      Flag.optional
    ),
    atOnce: Flag.Int("concurrent-calls").pipe(Flag.withDescription("Calls it may have at once"), Flag.optional),
    reset: Flag.Boolean("reset").pipe(Flag.withDescription("Back to those of the plan"), Flag.withDefault(false)),
    json
  },
  Effect.fnUntraced(function* ({ organization, minutes, overage, atOnce, reset, json }) {
    const found = yield* existing(organization)
    if (reset === [Option.isSome(minutes), Option.isSome(overage), Option.isSome(atOnce)].includes(true))
      return yield* new AdminError({
        message: "Say --minutes-per-month, --overage-usd-per-minute or --concurrent-calls, or --reset."
      })
    const priced = {
      ...(Option.isSome(minutes) ? { minutesPerMonth: minutes.value } : {}),
      ...(Option.isSome(overage)
        ? { overageMicrosPerMinute: yield* amount("overage-usd-per-minute", overage.value) }
        : {})
    }
    if (!Schema.is(VoiceTerms)({ ...voiceTermsOf(found), ...priced }))
      return yield* new AdminError({ message: "Minutes must be 0 to 100,000,000, and a minute at most 1,000 USD." })
    if (Option.isSome(atOnce) && !Schema.is(ConcurrentCalls)(atOnce.value))
      return yield* new AdminError({ message: "Calls at once must be 1 to 10,000." })
    const wanted = { ...priced, ...(Option.isSome(atOnce) ? { concurrentCalls: atOnce.value } : {}) }
    const { setVoiceTerms } = yield* makeManageOrganization
    const terms = yield* explained(setVoiceTerms(found, reset ? null : wanted))
    yield* answer(json, { id: found.id, ...shownTerms({ ...found, ...terms }) })
  })
).pipe(
  Command.withDescription(
    "Set minutes and price of an Enterprise organization, for calls that end from now on, and how many it may have at once"
  )
)

export const setAiTokens = Command.make(
  "set-ai-tokens",
  {
    organization,
    tokens: Flag.Int("tokens-per-month").pipe(Flag.withDescription("AI tokens in a month"), Flag.optional),
    reset: Flag.Boolean("reset").pipe(Flag.withDescription("Back to those of the plan"), Flag.withDefault(false)),
    json
  },
  Effect.fnUntraced(function* ({ organization, tokens, reset, json }) {
    const found = yield* existing(organization)
    if (reset === Option.isSome(tokens))
      return yield* new AdminError({ message: "Say either --tokens-per-month or --reset." })
    const wanted = Option.getOrNull(tokens)
    if (wanted !== null && !Schema.is(AiTokensPerMonth)(wanted))
      return yield* new AdminError({ message: "AI tokens must be 0 to 1,000,000,000,000." })
    const { setAiTokensPerMonth } = yield* makeManageOrganization
    const changed = yield* explained(setAiTokensPerMonth(found, wanted))
    yield* answer(json, { id: found.id, aiTokensPerMonth: aiTokensOf({ ...found, ...changed }) })
  })
).pipe(
  Command.withDescription("Set how many AI tokens the text agents of an Enterprise organization may use in a month")
)

const day = Effect.fnUntraced(function* (flag: string, text: Option.Option<string>) {
  if (Option.isNone(text)) return undefined
  if (!Schema.is(CalendarDate)(text.value))
    return yield* new AdminError({ message: `--${flag} must be a date such as 2026-11-01, not "${text.value}".` })
  return text.value
})

export const voiceUsage = Command.make(
  "voice-usage",
  {
    organization,
    from: Flag.String("from").pipe(
      Flag.withDescription("First day, e.g. 2026-11-01 (default: of this month)"),
      Flag.optional
    ),
    to: Flag.String("to").pipe(Flag.withDescription("Last day (default: today)"), Flag.optional),
    groupBy: Flag.Literals("group-by", ["day", "agent"]).pipe(Flag.withDefault("day")),
    carrier: Flag.String("carrier-usd-per-minute").pipe(
      Flag.withDescription("What your telephony provider asks for a minute, to be part of the cost"),
      Flag.withDefault("0")
    ),
    json
  },
  Effect.fnUntraced(function* ({ organization, from, to, groupBy, carrier, json }) {
    const found = yield* existing(organization)
    const perMinute = yield* amount("carrier-usd-per-minute", carrier)
    const usageReport = yield* makeUsageReport
    const [first, last] = [yield* day("from", from), yield* day("to", to)]
    const days = { ...(first === undefined ? {} : { from: first }), ...(last === undefined ? {} : { to: last }) }
    const { report, total } = yield* usageReport(found, { ...days, groupBy }).pipe(
      Effect.mapError(({ message }) => new AdminError({ message }))
    )
    // All minutes at the overage price: what the plan's fee covers is not known here.
    const worth = total.minutes * voiceTermsOf(found).overageMicrosPerMinute
    const cost = providerMicros(total) + total.minutes * perMinute
    const operator = { worth: usd(worth), cost: usd(cost), marginPercent: marginPercent(worth, cost) }
    if (json) return yield* answer(json, { ...report, operator })
    const lines = report.data.map((row) => {
      const of = "day" in row ? row.day : `${row.agentName ?? "(removed)"} ${row.agentId ?? ""}`
      return [
        of,
        `${row.calls} calls, ${row.minutes} min, overage ${row.overageMinutes} min = ${row.price} USD`
      ] as const
    })
    const { totals, allowance } = report
    yield* answer(json, {
      ...Object.fromEntries(lines),
      total: `${totals.calls} calls, ${totals.minutes} min, overage ${totals.overageMinutes} min = ${totals.price} USD`,
      allowance: `${allowance.used} of ${allowance.minutes} min used in ${allowance.month}`,
      operator: `worth ${operator.worth} USD, cost ${operator.cost} USD, margin ${operator.marginPercent ?? "–"} %`
    })
  })
).pipe(Command.withDescription("Show minutes, overage, provider costs and the margin of an organization"))
