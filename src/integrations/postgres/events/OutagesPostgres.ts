/** Outages of providers in Postgres. The table belongs to no organization; each organization gets its event in a transaction of its own, under an id of its own. */
import { Effect, Layer } from "effect"
import { idFrom } from "../../../domain/basics/Ids.ts"
import { isoTime } from "../../../domain/basics/IsoTime.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import {
  type Outage,
  Outages,
  outageAfterMs,
  outageOverAfterMs,
  type ProviderService,
  providerNamed
} from "../../../domain/events/Outage.ts"
import { makeSql } from "../tenancy/Sql.ts"
import { recordOnce } from "./EventLog.ts"

interface OutageRow {
  readonly provider: string
  readonly since: Date
  readonly endedAt: Date | null
}

/** Who uses a service: organizations with a row in one of these tables. */
const users: Readonly<Record<ProviderService, ReadonlyArray<string>>> = {
  "speech-to-text": ["voice_agents"],
  "text-to-speech": ["voice_agents"],
  telephony: ["voice_agents"],
  reasoning: ["voice_agents", "text_agents"],
  moderation: ["voice_agents", "text_agents"],
  embeddings: ["knowledge_bases"],
  messaging: ["channel_connections"]
}

export const layer = Layer.effect(
  Outages,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const begin = (provider: string, since: number, failedAt: number) => {
      const again = sql`o.ended_at < excluded.failed_at`
      return sql`INSERT INTO provider_outages AS o (provider, since, failed_at, told)
        VALUES (${provider}, ${new Date(since)}, ${new Date(failedAt)}, false)
        ON CONFLICT (provider) DO UPDATE SET failed_at = greatest(o.failed_at, excluded.failed_at),
          since = CASE WHEN ${again} THEN excluded.since ELSE o.since END,
          told = CASE WHEN ${again} THEN false ELSE o.told END,
          ended_at = CASE WHEN ${again} THEN NULL ELSE o.ended_at END`
    }

    const events = (organizationId: string, { provider, since, endedAt }: Outage) => {
      const named = providerNamed(provider)
      if (named === undefined) return []
      const told = { ...named, since: isoTime(since) }
      const id = (phase: string) => idFrom("evt", `${organizationId} ${provider} ${since} ${phase}`)
      const failed = { type: "provider.failed", data: { provider: { ...told, until: null } } } as const
      if (endedAt === null) return [{ id: id("failed"), event: failed }]
      const recovered = {
        type: "provider.recovered",
        data: { provider: { ...told, until: isoTime(endedAt) } }
      } as const
      return [
        { id: id("failed"), event: failed },
        { id: id("recovered"), event: recovered }
      ]
    }

    return Outages.of({
      note: traced("Outages.note")(function* (troubles, now) {
        for (const { provider, since, failedAt, endedAt } of troubles) {
          if (failedAt - since >= outageAfterMs && failedAt > now - outageOverAfterMs)
            yield* begin(provider, since, failedAt)
          if (endedAt !== undefined)
            yield* sql`UPDATE provider_outages SET ended_at = ${new Date(endedAt)}, told = false
              WHERE provider = ${provider} AND ended_at IS NULL AND failed_at <= ${new Date(endedAt)}`
        }
        yield* sql`UPDATE provider_outages SET ended_at = ${new Date(now)}, told = false
          WHERE ended_at IS NULL AND failed_at < ${new Date(now - outageOverAfterMs)}`
      }, Effect.orDie),

      untold: Effect.orDie(
        Effect.map(sql<OutageRow>`SELECT provider, since, ended_at FROM provider_outages WHERE NOT told`, (rows) =>
          rows.map(
            ({ provider, since, endedAt }): Outage => ({
              ...{ provider, since: since.getTime(), endedAt: endedAt?.getTime() ?? null }
            })
          )
        )
      ),

      tell: traced("Outages.tell")(function* (organizationId, outage, now) {
        const named = providerNamed(outage.provider)
        if (named === undefined) return
        const any = users[named.service].map((table) => `EXISTS (SELECT 1 FROM ${table})`).join(" OR ")
        yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const [{ affected }] = yield* sql<{ affected: boolean }>`SELECT ${sql.literal(any)} AS affected`
            if (affected)
              for (const { id, event } of events(organizationId, outage))
                yield* recordOnce(sql, organizationId, id, event, now)
          })
        )
      }, Effect.orDie),

      told: traced("Outages.told")(function* ({ provider, since, endedAt }) {
        yield* sql`UPDATE provider_outages SET told = true WHERE provider = ${provider} AND since = ${new Date(since)}
          AND ended_at IS NOT DISTINCT FROM ${endedAt === null ? null : new Date(endedAt)}::timestamptz`
      }, Effect.orDie)
    })
  })
)
