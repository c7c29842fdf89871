/** Organizations in Postgres. */
import { Effect, Layer } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import {
  defaultDisclosureText,
  defaultVoiceFlag,
  type NewOrganization,
  Organizations
} from "../../../../domain/people/organizations/Organization.ts"
import { makeSql } from "../../tenancy/Sql.ts"
import { organizationsAfter } from "./AcrossTenants.ts"
import { type OrganizationRow, organizationColumns, organizationOf } from "./OrganizationRows.ts"

/** The advisory lock under which the first organization is made. */
const firstLock = 7_275_541

export const layer = Layer.effect(
  Organizations,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const columns = sql.literal(organizationColumns)
    const create = Effect.fnUntraced(function* (input: NewOrganization) {
      const id = input.id ?? newId("org")
      const flags = { voiceAgents: defaultVoiceFlag(input.plan), voicePremium: false, ...input.flags }
      const disclosure = input.disclosureText ?? defaultDisclosureText
      const insert = sql<OrganizationRow>`INSERT INTO organizations (id, name, plan, flags, time_zone, disclosure_text)
          VALUES (${id}, ${input.name}, ${input.plan}, ${sql.json(flags)}, ${input.timeZone}, ${disclosure}) RETURNING ${columns}`
      const [row] = yield* asTenant(id)(insert)
      return yield* organizationOf(row)
    })

    return Organizations.of({
      create: traced("Organizations.create")(create, Effect.orDie),

      createFirst: traced("Organizations.createFirst")(function* (input) {
        const id = input.id ?? newId("org")
        return yield* asTenant(id)(
          Effect.gen(function* () {
            yield* sql`SELECT pg_advisory_xact_lock(${firstLock})`
            if ((yield* organizationsAfter(sql, "", 1)).length > 0) return undefined
            return yield* create({ ...input, id })
          })
        )
      }, Effect.orDie),

      find: traced("Organizations.find")(function* (id) {
        const rows = yield* asTenant(id)(sql<OrganizationRow>`SELECT ${columns} FROM organizations WHERE id = ${id}`)
        return rows.length === 0 ? undefined : yield* organizationOf(rows[0])
      }, Effect.orDie),

      setPlan: traced("Organizations.setPlan")(function* (id, plan, voiceAgents) {
        yield* asTenant(id)(
          sql`UPDATE organizations SET plan = ${plan}, flags = flags || ${sql.json({ voiceAgents })}, updated_at = now()
            WHERE id = ${id}`
        )
      }, Effect.orDie),

      setFlags: traced("Organizations.setFlags")(function* (id, flags) {
        yield* asTenant(id)(
          sql`UPDATE organizations SET flags = flags || ${sql.json(flags)}, updated_at = now() WHERE id = ${id}`
        )
      }, Effect.orDie),

      setVoiceTerms: traced("Organizations.setVoiceTerms")(function* (id, terms) {
        const value = terms === null ? null : sql.json(terms)
        yield* asTenant(id)(sql`UPDATE organizations SET voice_terms = ${value}, updated_at = now() WHERE id = ${id}`)
      }, Effect.orDie),

      setConcurrentCalls: traced("Organizations.setConcurrentCalls")(function* (id, limit) {
        yield* asTenant(id)(
          sql`UPDATE organizations SET concurrent_calls = ${limit}, updated_at = now() WHERE id = ${id}`
        )
      }, Effect.orDie),

      // A new allowance may be used up in its turn: people are told again.
      setAiTokensPerMonth: traced("Organizations.setAiTokensPerMonth")(function* (id, tokens) {
        yield* asTenant(id)(
          sql`UPDATE organizations SET ai_tokens_per_month = ${tokens}, ai_allowance_told = NULL, updated_at = now() WHERE id = ${id}`
        )
      }, Effect.orDie),

      setDetails: traced("Organizations.setDetails")(function* (id, { name, timeZone }) {
        yield* asTenant(id)(
          sql`UPDATE organizations SET name = ${name}, time_zone = ${timeZone}, updated_at = now() WHERE id = ${id}`
        )
      }, Effect.orDie),

      setRetention: traced("Organizations.setRetention")(function* (id, retention) {
        const value = retention === null ? null : sql.json(retention)
        yield* asTenant(id)(sql`UPDATE organizations SET retention = ${value}, updated_at = now() WHERE id = ${id}`)
      }, Effect.orDie),

      setSlaPolicy: traced("Organizations.setSlaPolicy")(function* (id, policy) {
        const value = policy === null ? null : sql.json(policy)
        yield* asTenant(id)(sql`UPDATE organizations SET sla_policy = ${value}, updated_at = now() WHERE id = ${id}`)
      }, Effect.orDie),

      idsAfter: traced("Organizations.idsAfter")((after, most) => organizationsAfter(sql, after, most), Effect.orDie),

      setDisclosureText: traced("Organizations.setDisclosureText")(function* (id, text, texts) {
        const kept = texts === undefined ? sql`disclosure_texts` : sql`${sql.json(texts)}`
        yield* asTenant(id)(
          sql`UPDATE organizations SET disclosure_text = ${text}, disclosure_texts = ${kept}, updated_at = now() WHERE id = ${id}`
        )
      }, Effect.orDie),

      setBusinessHours: traced("Organizations.setBusinessHours")(function* (id, timeZone, hours) {
        yield* asTenant(id)(
          sql`UPDATE organizations SET time_zone = ${timeZone}, business_hours = ${hours === null ? null : sql.json(hours)},
            updated_at = now() WHERE id = ${id}`
        )
      }, Effect.orDie)
    })
  })
)
