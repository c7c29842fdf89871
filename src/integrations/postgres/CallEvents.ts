/**
 * What each callback of a call changes. Runs inside the tenant's transaction with the call's row locked. Events come in any order, so
 * nothing moves backwards: a call that ended is not in progress again, and an agent does not take back what it handed over.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { CallEvent } from "../../domain/EngineProtocol.ts"
import { newId } from "../../domain/Ids.ts"
import type { CallRow } from "./CallRows.ts"

type Of<Type extends CallEvent["type"]> = Extract<CallEvent, { readonly type: Type }>

const audit = (sql: PgClient.PgClient, event: CallEvent, details: object) =>
  sql`INSERT INTO audit_log (organization_id, id, action, subject_id, details)
    VALUES (${event.organizationId}, ${newId("aud")}, ${`call.${event.type}`}, ${event.callId}, ${sql.json(details)})`

const started = Effect.fnUntraced(function* (sql: PgClient.PgClient, event: Of<"call_started">, call: CallRow) {
  yield* sql`UPDATE calls SET started_at = ${new Date(event.startedAt)},
    status = CASE WHEN status IN ('queued', 'ringing') THEN 'in_progress' ELSE status END WHERE id = ${call.id}`
  yield* sql`UPDATE conversations SET status = 'ASSIGNED', assigned_agent_id = ${call.agentId}, updated_at = now()
    WHERE id = ${call.conversationId} AND status = 'OPEN' AND NOT EXISTS (
      SELECT 1 FROM call_events WHERE call_id = ${call.id} AND type IN ('handoff', 'moderation'))`
})

const transcript = (sql: PgClient.PgClient, event: Of<"transcript">) =>
  sql`INSERT INTO utterances (organization_id, id, call_id, sequence, role, text, interrupted, start_ms, end_ms) VALUES
    (${event.organizationId}, ${newId("utt")}, ${event.callId}, ${event.sequence}, ${event.role}, ${event.text},
    ${event.interrupted}, ${event.startMs}, ${event.endMs})`

const moderation = Effect.fnUntraced(function* (sql: PgClient.PgClient, event: Of<"moderation">, call: CallRow) {
  const { direction, text, categories } = event
  yield* audit(sql, event, { direction, text, categories })
  yield* sql`UPDATE conversations SET status = 'OPEN', assigned_user_id = NULL, assigned_agent_id = NULL, flagged = true,
    updated_at = now() WHERE id = ${call.conversationId}`
})

const handoff = Effect.fnUntraced(function* (sql: PgClient.PgClient, event: Of<"handoff">, call: CallRow) {
  yield* audit(sql, event, { reason: event.reason })
  yield* sql`UPDATE conversations SET status = 'OPEN', assigned_user_id = NULL, assigned_agent_id = NULL,
    updated_at = now() WHERE id = ${call.conversationId}`
})

const broken: ReadonlySet<string> = new Set(["error", "provider_failure"])

const ended = (sql: PgClient.PgClient, event: Of<"call_end">, call: CallRow) => {
  // An answered call is completed however it ended; `endReason` says how.
  const answered = call.startedAt !== null || event.durationSeconds > 0
  const status = !answered && broken.has(event.endReason) ? "failed" : "completed"
  return sql`UPDATE calls SET status = ${status}, end_reason = ${event.endReason}, ended_at = ${new Date(event.endedAt)},
    duration_seconds = ${event.durationSeconds}, interruptions = ${event.interruptions},
    tool_call_count = ${event.toolCalls}, turns = ${sql.json(event.turns)} WHERE id = ${call.id}`
}

const change = (sql: PgClient.PgClient, event: CallEvent, call: CallRow) => {
  switch (event.type) {
    case "call_started":
      return started(sql, event, call)
    case "transcript":
      return transcript(sql, event)
    case "moderation":
      return moderation(sql, event, call)
    case "handoff":
      return handoff(sql, event, call)
    case "call_end":
      return ended(sql, event, call)
  }
}

/** Applies an event unless it was applied before. An event of an unknown call is logged and dropped. */
export const applyEvent = Effect.fnUntraced(function* (sql: PgClient.PgClient, event: CallEvent) {
  const [call] = yield* sql<CallRow>`SELECT * FROM calls WHERE id = ${event.callId} FOR UPDATE`
  if (call === undefined)
    return yield* Effect.logWarning("An event of an unknown call was ignored", {
      callId: event.callId,
      type: event.type
    })
  const fresh = yield* sql`INSERT INTO call_events (organization_id, id, call_id, type)
    VALUES (${event.organizationId}, ${event.id}, ${event.callId}, ${event.type})
    ON CONFLICT (organization_id, id) DO NOTHING RETURNING id`
  if (fresh.length > 0) yield* change(sql, event, call)
})
