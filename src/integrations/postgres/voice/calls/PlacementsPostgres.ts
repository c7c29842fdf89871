/**
 * The queue of outbound calls in Postgres. Requesting a call and taking one from the queue both lock the organization's row, so all nodes share one
 * limit and one pace.
 */
import { Effect, Layer } from "effect"
import { traced } from "../../../../domain/basics/Traced.ts"
import {
  type NewPlacement,
  type NextPlacement,
  Placements,
  TooManyCalls
} from "../../../../domain/voice/calls/outbound/Placement.ts"
import type { EndReason } from "../../../../domain/voice/engine/EndReason.ts"
import { contactOf, conversationOf } from "../../messaging/conversations/ConversationOpening.ts"
import { makeSql } from "../../tenancy/Sql.ts"
import { organizationsToDial } from "./AcrossTenants.ts"
import { tellingOfCall } from "./CallEventLog.ts"
import { type CallRow, callRecord, liveCalls } from "./CallRows.ts"

const tooLate = "The call waited too long for its turn: too many calls were to be placed at once."

export const layer = Layer.effect(
  Placements,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const lock = (organizationId: string) =>
      sql`SELECT 1 FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`

    const insert = Effect.fnUntraced(function* (input: NewPlacement) {
      const { organizationId, callId, agentId, from, to, dealId, notAfter } = input
      const contact = yield* contactOf(sql, organizationId, to)
      const conversationId = yield* conversationOf(sql, organizationId, contact.id, "voice")
      const [row] =
        yield* sql<CallRow>`INSERT INTO calls (organization_id, id, agent_id, contact_id, conversation_id, direction, status,
          from_address, to_address, deal_id)
        VALUES (${organizationId}, ${callId}, ${agentId}, ${contact.id}, ${conversationId}, 'outbound', 'queued', ${from}, ${to},
          ${dealId}) RETURNING *`
      yield* sql`INSERT INTO placements (organization_id, call_id, state, not_after)
        VALUES (${organizationId}, ${row.id}, 'waiting', ${new Date(notAfter)})`
      return row
    })

    const done = (callId: string) =>
      sql`UPDATE placements SET state = 'done' WHERE call_id = ${callId} AND state <> 'done' RETURNING call_id`

    const giveUp = (callId: string, endReason: EndReason | null, reason: string) =>
      tellingOfCall(
        sql,
        callId,
        Effect.andThen(
          done(callId),
          // This changes nothing if a webhook of the provider came first.
          sql`UPDATE calls SET status = 'failed', end_reason = ${endReason}, failure_reason = ${reason}, ended_at = now()
            WHERE id = ${callId} AND call_sid IS NULL`
        )
      )

    /** Milliseconds until the pace allows the next call. */
    const toWait = Effect.fnUntraced(function* (now: number, paceMs: number) {
      const [last] = yield* sql<{
        placingSince: Date
      }>`SELECT placing_since FROM placements WHERE placing_since IS NOT NULL
        ORDER BY placing_since DESC LIMIT 1`
      return last === undefined ? 0 : Math.min(paceMs, last.placingSince.getTime() + paceMs - now)
    })

    const take = Effect.fnUntraced(function* (now: number, paceMs: number) {
      const late = yield* sql<{
        callId: string
      }>`SELECT call_id FROM placements WHERE state = 'waiting' AND not_after < ${new Date(now)} ORDER BY call_id`
      for (const { callId } of late) yield* giveUp(callId, "capacity", tooLate)
      const [first] = yield* sql<{ callId: string }>`SELECT call_id FROM placements WHERE state = 'waiting'
        ORDER BY created_at, call_id LIMIT 1`
      if (first === undefined) return { _tag: "Nothing" } as const
      const ms = yield* toWait(now, paceMs)
      if (ms > 0) return { _tag: "Wait", ms } as const
      yield* sql`UPDATE placements SET state = 'placing', placing_since = ${new Date(now)} WHERE call_id = ${first.callId}`
      const [row] = yield* sql<CallRow>`SELECT * FROM calls WHERE id = ${first.callId}`
      return { _tag: "Place", row } as const
    })

    return Placements.of({
      request: traced("Placements.request")(function* (input) {
        const { organizationId, concurrentCalls: limit } = input
        const row = yield* asTenant(organizationId)(
          Effect.gen(function* () {
            yield* lock(organizationId)
            const [{ live }] = yield* sql<{
              live: number
            }>`SELECT count(*)::int AS live FROM calls WHERE ${liveCalls(sql)}`
            if (live >= limit) return yield* new TooManyCalls({ limit })
            return yield* insert(input)
          })
        ).pipe(Effect.catchTags({ SqlError: Effect.die, SchemaError: Effect.die }))
        return yield* Effect.orDie(callRecord(row))
      }),

      organizations: Effect.orDie(organizationsToDial(sql)),

      next: traced("Placements.next")(function* (organizationId, now, paceMs) {
        const taken = yield* asTenant(organizationId)(Effect.andThen(lock(organizationId), take(now, paceMs)))
        if (taken._tag !== "Place") return taken
        return { _tag: "Place", call: yield* callRecord(taken.row) } satisfies NextPlacement
      }, Effect.orDie),

      waitAgain: traced("Placements.waitAgain")(function* (organizationId, callId) {
        yield* asTenant(organizationId)(
          sql`UPDATE placements SET state = 'waiting' WHERE call_id = ${callId} AND state = 'placing'`
        )
      }, Effect.orDie),

      placed: traced("Placements.placed")(function* (organizationId, callId, callSid) {
        const rows = yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const mine = yield* sql`UPDATE calls SET call_sid = ${callSid}
              WHERE id = ${callId} AND direction = 'outbound' AND (call_sid IS NULL OR call_sid = ${callSid})
                AND NOT EXISTS (SELECT FROM calls other WHERE other.organization_id = calls.organization_id
                  AND other.call_sid = ${callSid} AND other.id <> ${callId})
              RETURNING id`
            if (mine.length > 0) yield* done(callId)
            return mine
          })
        )
        return rows.length > 0
      }, Effect.orDie),

      refused: traced("Placements.refused")(function* (organizationId, callId, endReason, reason) {
        yield* asTenant(organizationId)(giveUp(callId, endReason, reason))
      }, Effect.orDie),

      unsure: traced("Placements.unsure")(function* (organizationId, before) {
        const rows = yield* asTenant(organizationId)(
          sql<CallRow & { placingSince: Date }>`SELECT calls.*, placing_since FROM placements
            JOIN calls ON calls.organization_id = placements.organization_id AND calls.id = call_id
            WHERE state = 'placing' AND placing_since <= ${new Date(before)} ORDER BY placing_since`
        )
        return yield* Effect.forEach(rows, (row) =>
          Effect.map(callRecord(row), (call) => ({ call, since: row.placingSince.getTime() }))
        )
      }, Effect.orDie),

      lost: traced("Placements.lost")(function* (organizationId, callId, reason) {
        yield* asTenant(organizationId)(giveUp(callId, null, reason))
      }, Effect.orDie),

      known: traced("Placements.known")(function* (organizationId, callSids) {
        if (callSids.length === 0) return new Set<string>()
        const rows = yield* asTenant(organizationId)(
          sql<{ callSid: string }>`SELECT call_sid FROM calls WHERE ${sql.in("call_sid", callSids)}`
        )
        return new Set(rows.map(({ callSid }) => callSid))
      }, Effect.orDie)
    })
  })
)
