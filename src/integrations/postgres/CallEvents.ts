/**
 * What each callback of a call changes. Runs inside the tenant's transaction with the call's row locked. Events come in any order, so
 * nothing moves backwards: a call that ended is not in progress again, and an agent does not take back what it handed over.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { settle } from "../../domain/CallProgress.ts"
import type { Ownership, OwnershipEvent } from "../../domain/ConversationStatus.ts"
import type { CallEvent } from "../../domain/EngineProtocol.ts"
import { newId } from "../../domain/Ids.ts"
import { isRecordingOf } from "../../domain/Recordings.ts"
import { tellOfCall } from "./CallEventLog.ts"
import type { CallRow } from "./CallRows.ts"
import { lockConversation, moveConversation } from "./ConversationLock.ts"
import { progressOf } from "./ProviderStates.ts"
import { enterCall } from "./VoiceLedger.ts"

type Of<Type extends CallEvent["type"]> = Extract<CallEvent, { readonly type: Type }>

const audit = (sql: PgClient.PgClient, event: CallEvent, details: object) =>
  sql`INSERT INTO audit_log (organization_id, id, action, subject_id, details)
    VALUES (${event.organizationId}, ${newId("aud")}, ${`call.${event.type}`}, ${event.callId}, ${sql.json(details)})`

/** Not through the conversation's owner: a journal tells of a call once, in order, and the row is held as by everybody who changes it. */
const move = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  { organizationId }: CallEvent,
  { conversationId }: CallRow,
  what: (now: Ownership) => ReadonlyArray<OwnershipEvent>
) {
  if (conversationId === null) return
  const locked = yield* Effect.orDie(lockConversation(sql, organizationId, conversationId, undefined))
  if (locked !== undefined) yield* moveConversation(sql, locked, { ownership: what(locked.ownership) })
})

const started = Effect.fnUntraced(function* (sql: PgClient.PgClient, event: Of<"call_started">, call: CallRow) {
  // A call that comes back from a human starts twice: the first time counts.
  yield* sql`UPDATE calls SET started_at = LEAST(started_at, ${new Date(event.startedAt)}::timestamptz),
    status = CASE WHEN status IN ('queued', 'ringing') THEN 'in_progress' ELSE status END WHERE id = ${call.id}`
  const [handedOver] = yield* sql`SELECT 1 AS found FROM call_events
    WHERE call_id = ${call.id} AND type IN ('handoff', 'moderation') LIMIT 1`
  if (handedOver !== undefined) return
  yield* move(sql, event, call, (now) =>
    now.status === "OPEN" && call.agentId !== null ? [{ type: "assign", assignee: call.agentId }] : []
  )
})

const transcript = (sql: PgClient.PgClient, event: Of<"transcript">) =>
  sql`INSERT INTO utterances (organization_id, id, call_id, sequence, role, text, interrupted, start_ms, end_ms) VALUES
    (${event.organizationId}, ${newId("utt")}, ${event.callId}, ${event.sequence}, ${event.role}, ${event.text},
    ${event.interrupted}, ${event.startMs}, ${event.endMs})`

const moderation = Effect.fnUntraced(function* (sql: PgClient.PgClient, event: Of<"moderation">, call: CallRow) {
  const { direction, text, categories } = event
  yield* audit(sql, event, { direction, text, categories })
  yield* move(sql, event, call, () => [{ type: "reopen" }])
  yield* sql`UPDATE conversations SET flagged = true, updated_at = now() WHERE id = ${call.conversationId}`
})

const handoff = Effect.fnUntraced(function* (sql: PgClient.PgClient, event: Of<"handoff">, call: CallRow) {
  yield* audit(sql, event, { reason: event.reason })
  yield* move(sql, event, call, () => [{ type: "reopen" }])
})

const broken: ReadonlySet<string> = new Set(["error", "provider_failure"])

/**
 * A call that was transferred and came back ends once per part: the latest end says how and when, the parts are added up, and the
 * duration spans them all. In the same transaction the call is counted.
 */
const ended = Effect.fnUntraced(function* (sql: PgClient.PgClient, event: Of<"call_end">, call: CallRow) {
  // An answered call is completed however it ended; `endReason` says how.
  const answered = call.startedAt !== null || event.durationSeconds > 0
  const own = !answered && broken.has(event.endReason) ? "failed" : "completed"
  const { status } = settle(progressOf(call), own)
  const at = new Date(event.endedAt)
  // The provider may have told the end before, which is no end of ours to compare with.
  const latest = call.endReason === null || call.endedAt === null || call.endedAt <= at
  const how = latest
    ? sql`status = ${status}, end_reason = ${event.endReason}, ended_at = GREATEST(ended_at, ${at}::timestamptz),`
    : sql``
  yield* sql`UPDATE calls SET ${how}
    duration_seconds = GREATEST(duration_seconds, ${event.durationSeconds}, CASE WHEN duration_seconds IS NOT NULL
      THEN round(EXTRACT(EPOCH FROM ${at}::timestamptz - started_at), 1) END),
    interruptions = interruptions + ${event.interruptions},
    false_interruptions = false_interruptions + ${event.falseInterruptions ?? 0},
    caller_talk_ms = ${sum(call.callerTalkMs, event.callerTalkMs)}, agent_talk_ms = ${sum(call.agentTalkMs, event.agentTalkMs)},
    tool_call_count = tool_call_count + ${event.toolCalls}, turns = turns || ${sql.json(event.turns)} WHERE id = ${call.id}`
  yield* enterCall(sql, call.id)
})

/** Null only when neither is known. */
const sum = (before: number | null, more: number | undefined): number | null =>
  more === undefined ? before : (before ?? 0) + more

const recorded = (sql: PgClient.PgClient, event: Of<"recording">) => {
  const { key, bytes, durationMs } = event
  // The key alone decides what is read later: it must be this call's, whatever an engine says.
  if (!isRecordingOf(event, key)) return Effect.logError("a recording of another call was refused", { key })
  return sql`UPDATE calls SET recordings = recordings || ${sql.json([{ key, bytes, durationMs }])}::jsonb
    WHERE id = ${event.callId}`
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
    case "recording":
      return recorded(sql, event)
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
  if (fresh.length === 0) return
  yield* change(sql, event, call)
  yield* tellOfCall(sql, call, call.id)
})
