/** Calls in Postgres. `open` and `apply` are safe to repeat. */
import { Effect, Layer } from "effect"
import { storable } from "../../../../domain/basics/PlainText.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import { settle } from "../../../../domain/voice/calls/records/CallProgress.ts"
import { Calls, toolUnfinished } from "../../../../domain/voice/calls/records/CallRecord.ts"
import type { CallEvent } from "../../../../domain/voice/engine/CallEvent.ts"
import { numbered } from "../../tenancy/Parts.ts"
import { makeSql } from "../../tenancy/Sql.ts"
import { callsWithoutEngine, unfinishedCalls } from "./AcrossTenants.ts"
import { tellingOfCall, tellOfCall } from "./CallEventLog.ts"
import { applyEvent, ignored } from "./CallEvents.ts"
import { applyAtOnce } from "./CallEventsAtOnce.ts"
import { callsMatching } from "./CallFilters.ts"
import { openCall } from "./CallOpening.ts"
import {
  blank,
  type CallRow,
  callRecord,
  liveCalls,
  newestTransfer,
  recordingParts,
  toolCall,
  utterance
} from "./CallRows.ts"
import { progressOf } from "./ProgressColumns.ts"
import { applyNews } from "./ProviderStates.ts"
import { enterCall } from "./VoiceLedger.ts"

/**
 * Replaces characters that Postgres cannot store: callers, models and tools may send any text. An event that cannot be stored would block all later
 * events of its call.
 */
const storableEvent = (event: CallEvent): CallEvent => {
  switch (event.type) {
    case "transcript":
    case "moderation":
      return { ...event, text: storable(event.text) }
    case "withheld": {
      const { text, tool } = event
      const named = tool === undefined ? {} : { tool: { ...tool, name: storable(tool.name) } }
      return { ...event, text: storable(text), ...named }
    }
    case "handoff":
      return { ...event, reason: storable(event.reason) }
    default:
      return event
  }
}

export const layer = Layer.effect(
  Calls,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const findToolCall = traced("Calls.findToolCall")(function* (organizationId: string, callId: string, id: string) {
      const [row] = yield* asTenant(organizationId)(
        sql<{
          createdAt: Date
          tellsLater: boolean
          begun: boolean
        }>`SELECT * FROM tool_calls WHERE call_id = ${callId} AND id = ${id}`
      )
      if (row === undefined) return undefined
      return { ...(yield* toolCall(row)), tellsLater: row.tellsLater, begun: row.begun }
    }, Effect.orDie)

    /** The columns of a call's record. */
    const columns = sql.literal(`calls.*, ${newestTransfer}`)

    const bySid = (callSid: string) => sql<CallRow>`SELECT ${columns} FROM calls WHERE call_sid = ${callSid}`

    return Calls.of({
      open: traced("Calls.open")(function* (input) {
        const { call, contactName } = yield* openCall(sql, input)
        if (call !== undefined) return { call, contactName }
        const [row] = yield* asTenant(input.organizationId)(bySid(input.callSid ?? ""))
        return { call: yield* callRecord(row), contactName }
      }, Effect.orDie),

      close: traced("Calls.close")(function* (organizationId, callId, status, endReason) {
        yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const [row] =
              yield* sql<CallRow>`SELECT * FROM calls WHERE id = ${callId} AND end_reason IS NULL FOR NO KEY UPDATE`
            if (row === undefined) return
            yield* sql`UPDATE calls SET status = ${settle(progressOf(row), status).status}, end_reason = ${endReason},
              ended_at = COALESCE(ended_at, now()) WHERE id = ${callId}`
            yield* tellOfCall(sql, row, callId)
          })
        )
      }, Effect.orDie),

      told: traced("Calls.told")(function* (organizationId, call, news) {
        const where = "id" in call ? sql`id = ${call.id}` : sql`call_sid = ${call.callSid}`
        const row = yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const id = yield* applyNews(sql, where, news)
            return id === undefined
              ? undefined
              : (yield* sql<CallRow>`SELECT ${columns} FROM calls WHERE id = ${id}`)[0]
          })
        )
        return row === undefined ? undefined : yield* callRecord(row)
      }, Effect.orDie),

      unfinished: traced("Calls.unfinished")(
        (begunBefore, askedBefore) => unfinishedCalls(sql, begunBefore, askedBefore),
        Effect.orDie
      ),

      withoutEngine: traced("Calls.withoutEngine")(
        (endedAfter, endedBefore) => callsWithoutEngine(sql, endedAfter, endedBefore),
        Effect.orDie
      ),

      asked: traced("Calls.asked")(function* (organizationId, callId, now) {
        yield* asTenant(organizationId)(sql`UPDATE calls SET provider_asked_at = ${new Date(now)} WHERE id = ${callId}`)
      }, Effect.orDie),

      resumed: traced("Calls.resumed")(function* (organizationId, callId) {
        yield* asTenant(organizationId)(
          sql`UPDATE calls SET status = 'in_progress', end_reason = NULL, ended_at = NULL, takeovers = '{}'
            WHERE id = ${callId} AND (provider_status IS NULL OR provider_status IN ('queued', 'ringing', 'in_progress'))`
        )
      }, Effect.orDie),

      finished: traced("Calls.finished")(function* (organizationId, callId, endReason, now) {
        const at = new Date(now)
        // The reason why the agent gave the call away is kept, because it says more than the new one.
        const end = sql`UPDATE calls SET status = 'completed', ended_at = ${at},
          end_reason = CASE WHEN end_reason IN ('moderation', 'provider_failure') THEN end_reason ELSE ${endReason} END,
          duration_seconds = GREATEST(duration_seconds, round(EXTRACT(EPOCH FROM ${at}::timestamptz - started_at), 1))
          WHERE id = ${callId}`
        yield* asTenant(organizationId)(tellingOfCall(sql, callId, Effect.andThen(end, enterCall(sql, callId))))
      }, Effect.orDie),

      apply: traced("Calls.apply")(function* (told) {
        const event = storableEvent(told)
        const attempt = yield* applyAtOnce(sql, event)
        if (attempt._tag === "Applied") return { transferred: attempt.transferred }
        const unwanted = yield* attempt._tag === "Unknown"
          ? ignored(event)
          : asTenant(event.organizationId)(applyEvent(sql, attempt.event))
        return { transferred: true, ...(unwanted === undefined ? {} : { unwanted }) }
      }, Effect.orDie),

      find: traced("Calls.find")(function* (organizationId, callId) {
        const rows = yield* asTenant(organizationId)(sql<CallRow>`SELECT ${columns} FROM calls WHERE id = ${callId}`)
        return rows.length === 0 ? undefined : yield* callRecord(rows[0])
      }, Effect.orDie),

      utterances: traced("Calls.utterances")(function* (organizationId, callId) {
        const rows = yield* asTenant(organizationId)(
          sql`SELECT * FROM utterances WHERE call_id = ${callId} ORDER BY sequence, id`
        )
        return yield* Effect.forEach(rows, (row) => utterance(row))
      }, Effect.orDie),

      toolCalls: traced("Calls.toolCalls")(function* (organizationId, callId) {
        const rows = yield* asTenant(organizationId)(
          sql<{ createdAt: Date }>`SELECT * FROM tool_calls WHERE call_id = ${callId} ORDER BY created_at, id`
        )
        return yield* Effect.forEach(rows, toolCall)
      }, Effect.orDie),

      recordings: traced("Calls.recordings")(function* (organizationId, callId) {
        const rows = yield* asTenant(organizationId)(
          sql<Pick<CallRow, "recordings">>`SELECT recordings FROM calls WHERE id = ${callId}`
        )
        return rows.length === 0 ? [] : yield* recordingParts(rows[0])
      }, Effect.orDie),

      live: traced("Calls.live")(function* (organizationId) {
        const found = yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const rows = yield* sql<CallRow>`SELECT ${columns} FROM calls WHERE ${liveCalls(sql)}
              ORDER BY created_at DESC, id DESC LIMIT 500`
            const ids = rows.map(({ id }) => id)
            const said = yield* sql<{
              callId: string
              sources?: unknown
            }>`SELECT u.* FROM unnest(${ids}::text[]) AS live (id) CROSS JOIN LATERAL (
              SELECT * FROM utterances WHERE call_id = live.id ORDER BY sequence DESC, id DESC LIMIT 3) u`
            return { rows, said }
          })
        )
        return yield* Effect.forEach(found.rows, (row) =>
          Effect.all({
            call: callRecord(row),
            words: Effect.forEach(found.said.filter(({ callId }) => callId === row.id).reverse(), (one) =>
              utterance(one)
            )
          })
        )
      }, Effect.orDie),

      list: traced("Calls.list")(function* (organizationId, page, limit, filter) {
        const from = sql`calls WHERE ${callsMatching(sql, filter)}`
        return yield* numbered({ sql, asTenant }, organizationId, { columns, from, decode: callRecord }, page, limit)
      }, Effect.orDie),

      beginToolCall: traced("Calls.beginToolCall")(function* (organizationId, callId, { id, name, arguments: given }) {
        const made = yield* asTenant(organizationId)(
          sql`INSERT INTO tool_calls (organization_id, call_id, id, name, arguments, result, outcome, duration_ms, begun)
            SELECT ${organizationId}, k.id, ${id}, ${storable(name)}, CASE WHEN k.erased THEN ${blank} ELSE ${storable(given)} END,
              ${toolUnfinished}, 'error', 0, true FROM (SELECT id, erased FROM calls WHERE id = ${callId} FOR SHARE) k
            ON CONFLICT (organization_id, call_id, id) DO NOTHING RETURNING id`
        )
        return made.length > 0 ? undefined : yield* findToolCall(organizationId, callId, id)
      }, Effect.orDie),

      recordToolCall: traced("Calls.recordToolCall")(function* (organizationId, callId, entry) {
        const kept = (text: string) => sql`CASE WHEN k.erased THEN ${blank} ELSE ${storable(text)} END`
        // The call is locked before `erased` is read, and an erasure waits for that: a tool may end after its call, during an erasure.
        yield* asTenant(organizationId)(
          sql`INSERT INTO tool_calls (organization_id, call_id, id, name, arguments, result, outcome, duration_ms, tells_later)
            SELECT ${organizationId}, k.id, ${entry.id}, ${storable(entry.name)}, ${kept(entry.arguments)}, ${kept(entry.result)},
              ${entry.outcome}, ${entry.durationMs}::integer, ${entry.tellsLater === true} FROM (SELECT id, erased FROM calls WHERE id = ${callId} FOR SHARE) k
            ON CONFLICT (organization_id, call_id, id) DO UPDATE SET result = excluded.result, outcome = excluded.outcome,
              duration_ms = excluded.duration_ms, tells_later = excluded.tells_later, begun = false WHERE tool_calls.begun`
        )
      }, Effect.orDie),

      findToolCall
    })
  })
)
