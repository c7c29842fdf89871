/** Phone numbers in Postgres. A number belongs to one organization; another one that claims it is told so. */
import { Effect, Layer } from "effect"
import { newId } from "../../domain/Ids.ts"
import { DuplicateNumber, PhoneNumbers } from "../../domain/PhoneNumber.ts"
import { makeSql } from "./Sql.ts"

export const layer = Layer.effect(
  PhoneNumbers,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    return PhoneNumbers.of({
      assign: Effect.fn("PhoneNumbers.assign")(function* (organizationId, phone, agentId) {
        const write = Effect.gen(function* () {
          // The foreign number is invisible here, so the insert says only that it conflicts.
          yield* sql`INSERT INTO phone_numbers (organization_id, id, phone) VALUES (${organizationId}, ${newId("num")}, ${phone})
            ON CONFLICT (phone) DO NOTHING`
          yield* sql`UPDATE phone_numbers SET agent_id = NULL, updated_at = now()
            WHERE agent_id = ${agentId} AND phone <> ${phone}`
          const mine = yield* sql`UPDATE phone_numbers SET agent_id = ${agentId}, updated_at = now()
            WHERE phone = ${phone} RETURNING id`
          if (mine.length === 0) return yield* new DuplicateNumber({ phone })
        })
        yield* asTenant(organizationId)(write).pipe(Effect.catchTag("SqlError", Effect.die))
      }),

      agentOf: Effect.fn("PhoneNumbers.agentOf")(function* (organizationId, phone) {
        const rows = yield* asTenant(organizationId)(
          sql<{ agentId: string | null }>`SELECT agent_id FROM phone_numbers WHERE phone = ${phone}`
        )
        return rows.at(0)?.agentId ?? undefined
      }, Effect.orDie)
    })
  })
)
