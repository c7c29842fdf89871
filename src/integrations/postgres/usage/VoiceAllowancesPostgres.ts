/** Compares the minutes of the month in the ledger of calls with the allowance. The row of a told month keeps it from being told again. */
import { Effect, Layer, Schema } from "effect"
import { dayAt } from "../../../domain/basics/Calendar.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { Plan, voiceTermsOf } from "../../../domain/people/organizations/Organization.ts"
import { VoiceTerms } from "../../../domain/people/organizations/VoiceTerms.ts"
import { usd } from "../../../domain/usage/Metering.ts"
import { VoiceAllowances } from "../../../domain/usage/VoiceAllowance.ts"
import { recordEvent } from "../events/EventLog.ts"
import { makeSql } from "../tenancy/Sql.ts"

const decodeTerms = Schema.decodeUnknownEffect(
  Schema.Struct({ plan: Plan, voiceTerms: Schema.NullOr(VoiceTerms), timeZone: Schema.String })
)

export const layer = Layer.effect(
  VoiceAllowances,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const tell = Effect.fnUntraced(function* (organizationId: string, now: number) {
      const [row] = yield* sql`SELECT plan, voice_terms, time_zone FROM organizations`
      if (row === undefined) return
      const organization = yield* decodeTerms(row)
      const { minutesPerMonth: allowance, overageMicrosPerMinute } = voiceTermsOf(organization)
      // Who has no included minutes pays for each from the first one on: that is no news.
      if (allowance === 0) return
      const month = dayAt(now, organization.timeZone).slice(0, 7)
      const known = yield* sql`SELECT 1 FROM voice_allowances_told WHERE month = ${month}`
      if (known.length > 0) return
      const first = `${month}-01`
      const [{ used }] = yield* sql<{ used: number }>`SELECT coalesce(sum(minutes), 0)::int AS used FROM voice_ledger
          WHERE organization_id = ${organizationId} AND day >= ${first}::date AND day < ${first}::date + interval '1 month'`
      if (used <= allowance) return
      const made =
        yield* sql`INSERT INTO voice_allowances_told (organization_id, month) VALUES (${organizationId}, ${month})
        ON CONFLICT DO NOTHING RETURNING month`
      if (made.length === 0) return
      const usage = { month, allowance, used, overagePrice: usd(overageMicrosPerMinute) }
      yield* recordEvent(sql, organizationId, { type: "voice.allowance_used", data: { usage } }, now)
    })

    return VoiceAllowances.of({
      tell: traced("VoiceAllowances.tell")(
        (organizationId, now) => asTenant(organizationId)(tell(organizationId, now)),
        Effect.orDie
      )
    })
  })
)
