/** Calls in Postgres. Each operation is one transaction; opening and applying are safe to repeat. */
import { Effect, Layer } from "effect"
import { Calls, type NewCall } from "../../domain/CallRecord.ts"
import { newId } from "../../domain/Ids.ts"
import { toE164 } from "../../domain/Phone.ts"
import { applyEvent } from "./CallEvents.ts"
import { type CallRow, callRecord, toolCall, utterance } from "./CallRows.ts"
import { makeSql } from "./Sql.ts"
import { contactOf, voiceConversationOf } from "./Threads.ts"

const open: ReadonlySet<string> = new Set(["queued", "ringing", "in_progress"])

export const layer = Layer.effect(
  Calls,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const bySid = (callSid: string) => sql<CallRow>`SELECT * FROM calls WHERE call_sid = ${callSid}`

    const insert = (call: NewCall, contactId: string | null, conversationId: string | null) =>
      sql<CallRow>`INSERT INTO calls (organization_id, id, agent_id, contact_id, conversation_id, direction, status, end_reason,
          from_address, to_address, call_sid, ended_at)
        VALUES (${call.organizationId}, ${newId("call")}, ${call.agentId}, ${contactId}, ${conversationId}, ${call.direction},
          ${call.status}, ${call.endReason ?? null}, ${call.from}, ${call.to}, ${call.callSid},
          CASE WHEN ${open.has(call.status)} THEN NULL ELSE now() END)
        ON CONFLICT (organization_id, call_sid) DO NOTHING RETURNING *`

    const openCall = Effect.fnUntraced(function* (input: NewCall) {
      const { organizationId } = input
      const phone = toE164(input.direction === "inbound" ? input.from : input.to)
      // Locks the contact first: a repeated webhook waits here and then finds the record of the first.
      const contact = phone === undefined ? undefined : yield* contactOf(sql, organizationId, phone)
      const contactName = contact?.name ?? null
      const [known] = yield* bySid(input.callSid)
      if (known !== undefined) return { row: known, contactName }
      const conversation = contact === undefined ? null : yield* voiceConversationOf(sql, organizationId, contact.id)
      const [made] = yield* insert(input, contact?.id ?? null, conversation)
      return { row: made ?? (yield* bySid(input.callSid))[0], contactName }
    })

    return Calls.of({
      open: Effect.fn("Calls.open")(function* (input) {
        const { row, contactName } = yield* asTenant(input.organizationId)(openCall(input))
        return { call: yield* callRecord(row), contactName }
      }, Effect.orDie),

      close: Effect.fn("Calls.close")(function* (organizationId, callId, status, endReason) {
        yield* asTenant(organizationId)(
          sql`UPDATE calls SET status = ${status}, end_reason = ${endReason}, ended_at = now()
            WHERE id = ${callId} AND ended_at IS NULL`
        )
      }, Effect.orDie),

      apply: Effect.fn("Calls.apply")((event) => asTenant(event.organizationId)(applyEvent(sql, event)), Effect.orDie),

      find: Effect.fn("Calls.find")(function* (organizationId, callId) {
        const rows = yield* asTenant(organizationId)(sql<CallRow>`SELECT * FROM calls WHERE id = ${callId}`)
        return rows.length === 0 ? undefined : yield* callRecord(rows[0])
      }, Effect.orDie),

      utterances: Effect.fn("Calls.utterances")(function* (organizationId, callId) {
        const rows = yield* asTenant(organizationId)(
          sql`SELECT * FROM utterances WHERE call_id = ${callId} ORDER BY sequence, id`
        )
        return yield* Effect.forEach(rows, (row) => utterance(row))
      }, Effect.orDie),

      toolCalls: Effect.fn("Calls.toolCalls")(function* (organizationId, callId) {
        const rows = yield* asTenant(organizationId)(
          sql<{ createdAt: Date }>`SELECT * FROM tool_calls WHERE call_id = ${callId} ORDER BY created_at, id`
        )
        return yield* Effect.forEach(rows, toolCall)
      }, Effect.orDie),

      listByAgent: Effect.fn("Calls.listByAgent")(function* (organizationId, agentId, page, limit) {
        const [rows, [{ total }]] = yield* asTenant(organizationId)(
          Effect.all([
            sql<CallRow>`SELECT * FROM calls WHERE agent_id = ${agentId} ORDER BY created_at DESC, id DESC
              LIMIT ${limit} OFFSET ${(page - 1) * limit}`,
            sql<{ total: number }>`SELECT count(*)::int AS total FROM calls WHERE agent_id = ${agentId}`
          ])
        )
        return { data: yield* Effect.forEach(rows, callRecord), total }
      }, Effect.orDie),

      recordToolCall: Effect.fn("Calls.recordToolCall")(function* (organizationId, callId, entry) {
        yield* asTenant(organizationId)(
          sql`INSERT INTO tool_calls (organization_id, call_id, id, name, arguments, result, outcome, duration_ms)
            VALUES (${organizationId}, ${callId}, ${entry.id}, ${entry.name}, ${entry.arguments}, ${entry.result},
              ${entry.outcome}, ${entry.durationMs})
            ON CONFLICT (organization_id, call_id, id) DO NOTHING`
        )
      }, Effect.orDie),

      findToolCall: Effect.fn("Calls.findToolCall")(function* (organizationId, callId, id) {
        const rows = yield* asTenant(organizationId)(
          sql<{ createdAt: Date }>`SELECT * FROM tool_calls WHERE call_id = ${callId} AND id = ${id}`
        )
        return rows.length === 0 ? undefined : yield* toolCall(rows[0])
      }, Effect.orDie)
    })
  })
)
