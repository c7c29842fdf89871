/** Consents to voice calls in Postgres: their entries in the ledger. */
import { Effect, Layer } from "effect"
import { traced } from "../../../../domain/basics/Traced.ts"
import { VoiceConsents } from "../../../../domain/people/contacts/VoiceConsent.ts"
import { makeSql } from "../../tenancy/Sql.ts"
import { addConsent, consentEntry, newestConsents } from "./ConsentLedger.ts"

export const layer = Layer.effect(
  VoiceConsents,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const entries = (organizationId: string, phone: string, limit: number) =>
      newestConsents(sql, organizationId, phone, "voice", limit)

    return VoiceConsents.of({
      record: traced("VoiceConsents.record")(function* (contact, entry) {
        const { organizationId, id, phone } = contact
        const { action, at, source, text } = entry
        return yield* asTenant(organizationId)(
          Effect.gen(function* () {
            // The lock allows one writer per contact: a repeated request sees what the first one wrote, and an erasure stays the last word.
            const held = yield* sql`SELECT 1 FROM contacts WHERE id = ${id} FOR NO KEY UPDATE`
            if (held.length === 0) return undefined
            const [newest] = yield* entries(organizationId, phone, 1)
            const same =
              newest?.action === action &&
              newest.source === source &&
              newest.text === text &&
              Date.parse(newest.at) === Date.parse(at)
            return same
              ? newest
              : yield* Effect.flatMap(addConsent(sql, "voice", contact, entry), ([row]) => consentEntry(row))
          })
        )
      }, Effect.orDie),

      history: traced("VoiceConsents.history")(function* (organizationId, phone) {
        return yield* asTenant(organizationId)(entries(organizationId, phone, 100))
      }, Effect.orDie)
    })
  })
)
