/** Consents to voice calls in Postgres: their part of the ledger. */
import { Effect, Layer, Schema } from "effect"
import { ConsentEntry, VoiceConsents } from "../../domain/VoiceConsent.ts"
import { addConsent, type ConsentRow, phoneHash } from "./ConsentLedger.ts"
import { iso, makeSql } from "./Sql.ts"

const decode = (row: ConsentRow) =>
  Schema.decodeUnknownEffect(ConsentEntry)({ ...row, at: iso(row.happenedAt), recordedAt: iso(row.recordedAt) })

export const layer = Layer.effect(
  VoiceConsents,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const entries = (organizationId: string, phone: string, limit: number) =>
      sql<ConsentRow>`SELECT * FROM consents WHERE phone_hash = ${phoneHash(organizationId, phone)} AND channel = 'voice' ORDER BY ordinal DESC LIMIT ${limit}`

    return VoiceConsents.of({
      record: Effect.fn("VoiceConsents.record")(function* (contact, entry) {
        const { organizationId, id, phone } = contact
        const { action, at, source, text } = entry
        return yield* asTenant(organizationId)(
          Effect.gen(function* () {
            // One writer per contact, so that a repeated request sees what the first one wrote.
            yield* sql`SELECT 1 FROM contacts WHERE id = ${id} FOR UPDATE`
            const [newest] = yield* Effect.flatMap(entries(organizationId, phone, 1), (rows) =>
              Effect.forEach(rows, decode)
            )
            const same =
              newest?.action === action &&
              newest.source === source &&
              newest.text === text &&
              Date.parse(newest.at) === Date.parse(at)
            return same
              ? newest
              : yield* Effect.flatMap(addConsent(sql, "voice", contact, entry), ([row]) => decode(row))
          })
        )
      }, Effect.orDie),

      history: Effect.fn("VoiceConsents.history")(function* (organizationId, phone) {
        const rows = yield* asTenant(organizationId)(entries(organizationId, phone, 100))
        return yield* Effect.forEach(rows, decode)
      }, Effect.orDie)
    })
  })
)
