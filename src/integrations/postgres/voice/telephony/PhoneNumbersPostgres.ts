/**
 * Phone numbers in Postgres. A number at the provider belongs to one organization; another organization that claims it gets `DuplicateNumber`. A
 * number that arrives by SIP is visible to its own organization only.
 */
import { Effect, Layer, Schema } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import { DuplicateNumber, PhoneNumber, PhoneNumbers } from "../../../../domain/voice/telephony/PhoneNumber.ts"
import { numbered } from "../../tenancy/Parts.ts"
import { iso, makeSql } from "../../tenancy/Sql.ts"

interface Row {
  readonly id: string
  readonly phone: string
  readonly numberSid: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

const Stored = Schema.Struct({ ...PhoneNumber.fields, sid: Schema.NullOr(Schema.String) })

const stored = ({ phone, numberSid, createdAt, updatedAt, ...row }: Row) =>
  Schema.decodeUnknownEffect(Stored)({
    ...row,
    phoneNumber: phone,
    sid: numberSid,
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt)
  })

const firstOf = (rows: ReadonlyArray<Row>) => (rows.length === 0 ? Effect.succeed(undefined) : stored(rows[0]))

export const layer = Layer.effect(
  PhoneNumbers,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    /** Until the transaction ends, nobody else gives this agent a number or removes the agent. Gives no row when there is no such agent. */
    const lockAgent = (agentId: string | null) =>
      sql`SELECT 1 FROM voice_agents WHERE id = ${agentId} FOR NO KEY UPDATE`

    /** Gives the number to the agent and frees the agent's earlier number, because an agent has one number at most. */
    const giveTo = Effect.fnUntraced(function* (agentId: string | null, phone: string) {
      // Two agents may exchange their numbers: both numbers are locked before one is changed, in the same order.
      yield* sql`SELECT 1 FROM phone_numbers WHERE agent_id = ${agentId} OR phone = ${phone} ORDER BY phone FOR NO KEY UPDATE`
      yield* sql`UPDATE phone_numbers SET agent_id = NULL, updated_at = now()
        WHERE agent_id = ${agentId} AND phone <> ${phone}`
      return yield* sql`UPDATE phone_numbers SET agent_id = ${agentId}, updated_at = now()
        WHERE phone = ${phone} RETURNING id`
    })

    return PhoneNumbers.of({
      assign: traced("PhoneNumbers.assign")(function* (organizationId, phone, agentId) {
        const write = Effect.gen(function* () {
          yield* lockAgent(agentId)
          // A number of another organization is invisible here, so a conflict on insert is the only sign of it.
          yield* sql`INSERT INTO phone_numbers (organization_id, id, phone) VALUES (${organizationId}, ${newId("num")}, ${phone})
            ON CONFLICT DO NOTHING`
          const mine = yield* giveTo(agentId, phone)
          if (mine.length === 0) return yield* new DuplicateNumber({ phone })
        })
        yield* asTenant(organizationId)(write).pipe(Effect.catchTag("SqlError", Effect.die))
      }),

      agentOf: traced("PhoneNumbers.agentOf")(function* (organizationId, phone) {
        const rows = yield* asTenant(organizationId)(
          sql<{ agentId: string | null }>`SELECT agent_id FROM phone_numbers WHERE phone = ${phone}`
        )
        return rows.at(0)?.agentId ?? undefined
      }, Effect.orDie),

      list: traced("PhoneNumbers.list")(
        (organizationId, page, limit) =>
          numbered({ sql, asTenant }, organizationId, { from: sql`phone_numbers`, decode: stored }, page, limit),
        Effect.orDie
      ),

      find: traced("PhoneNumbers.find")(function* (organizationId, id) {
        return yield* firstOf(yield* asTenant(organizationId)(sql<Row>`SELECT * FROM phone_numbers WHERE id = ${id}`))
      }, Effect.orDie),

      findByPhone: traced("PhoneNumbers.findByPhone")(function* (organizationId, phone) {
        return yield* firstOf(
          yield* asTenant(organizationId)(sql<Row>`SELECT * FROM phone_numbers WHERE phone = ${phone}`)
        )
      }, Effect.orDie),

      unfinished: traced("PhoneNumbers.unfinished")(function* (organizationId) {
        const rows = yield* asTenant(organizationId)(
          sql<Row>`SELECT * FROM phone_numbers WHERE state <> 'active' ORDER BY created_at, id`
        )
        return yield* Effect.forEach(rows, stored)
      }, Effect.orDie),

      add: traced("PhoneNumbers.add")(function* (organizationId, number) {
        const { phoneNumber: phone, origin, state, sid, capabilities } = number
        const rows = yield* asTenant(organizationId)(
          sql<Row>`INSERT INTO phone_numbers (organization_id, id, phone, origin, state, number_sid, capabilities)
            VALUES (${organizationId}, ${newId("num")}, ${phone}, ${origin}, ${state}, ${sid},
              ${capabilities === null ? null : sql.json(capabilities)})
            ON CONFLICT DO NOTHING RETURNING *`
        ).pipe(Effect.orDie)
        return (yield* Effect.orDie(firstOf(rows))) ?? (yield* new DuplicateNumber({ phone }))
      }),

      activate: traced("PhoneNumbers.activate")(function* (organizationId, id, { sid, capabilities }) {
        yield* asTenant(organizationId)(
          sql`UPDATE phone_numbers SET state = 'active', number_sid = ${sid}, updated_at = now(),
            capabilities = ${capabilities === null ? null : sql.json(capabilities)} WHERE id = ${id}`
        )
      }, Effect.orDie),

      beginRelease: traced("PhoneNumbers.beginRelease")(function* (organizationId, id) {
        yield* asTenant(organizationId)(
          sql`UPDATE phone_numbers SET state = 'releasing', agent_id = NULL, updated_at = now() WHERE id = ${id}`
        )
      }, Effect.orDie),

      setAgent: traced("PhoneNumbers.setAgent")(function* (organizationId, id, agentId) {
        return yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const agents = yield* lockAgent(agentId)
            if (agentId !== null && agents.length === 0) return false
            const [number] = yield* sql<{ phone: string }>`SELECT phone FROM phone_numbers WHERE id = ${id}`
            if (number !== undefined) yield* giveTo(agentId, number.phone)
            return true
          })
        )
      }, Effect.orDie),

      remove: traced("PhoneNumbers.remove")(function* (organizationId, id) {
        yield* asTenant(organizationId)(sql`DELETE FROM phone_numbers WHERE id = ${id}`)
      }, Effect.orDie)
    })
  })
)
