/**
 * Applies call events that need several statements; `CallEventsAtOnce.ts` applies the simple ones. Runs inside the tenant's transaction with the
 * call's row locked. Events may arrive in any order, so no event moves a call backwards: an ended call is not in progress again, and an agent does
 * not take back a conversation that it handed over.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import type { Ownership, OwnershipEvent } from "../../../../domain/messaging/conversations/ConversationStatus.ts"
import type { CallEvent } from "../../../../domain/voice/engine/CallEvent.ts"
import { isRecordingOf } from "../../../../domain/voice/engine/Recordings.ts"
import { lockConversation, moveConversation } from "../../messaging/conversations/ConversationLock.ts"
import { type CallChanges, endOf, startOf } from "./CallChanges.ts"
import { tellOfCall } from "./CallEventLog.ts"
import type { LongEvent } from "./CallEventsAtOnce.ts"
import { blank, type CallRow } from "./CallRows.ts"
import { isReplaced, tellReplaced } from "./CallTakeOvers.ts"
import { enterCall } from "./VoiceLedger.ts"

type Of<Type extends CallEvent["type"]> = Extract<CallEvent, { readonly type: Type }>

const writeCall = (sql: PgClient.PgClient, { organizationId, callId }: CallEvent, changes: CallChanges) =>
  sql`SELECT write_call(${organizationId}, ${callId}, ${sql.json(changes)}::jsonb)`

const audit = (sql: PgClient.PgClient, event: CallEvent, details: object) =>
  sql`INSERT INTO audit_log (organization_id, id, action, subject_id, details)
    VALUES (${event.organizationId}, ${newId("aud")}, ${`call.${event.type}`}, ${event.callId}, ${sql.json(details)})`

/**
 * Changes the ownership of the call's conversation. This does not go through the conversation's owner process: the journal delivers the events of a
 * call once and in order, and the row is locked as by every other change.
 */
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
  yield* writeCall(sql, event, startOf(call, event))
  const [handedOver] = yield* sql`SELECT 1 AS found FROM call_events
    WHERE call_id = ${call.id} AND type IN ('handoff', 'moderation') LIMIT 1`
  if (handedOver !== undefined) return
  yield* move(sql, event, call, (now) =>
    now.status === "OPEN" && call.agentId !== null ? [{ type: "assign", assignee: call.agentId }] : []
  )
})

const moderation = Effect.fnUntraced(function* (sql: PgClient.PgClient, event: Of<"moderation">, call: CallRow) {
  const { direction, text, categories, what } = event
  const about = what === undefined ? {} : { what }
  yield* audit(sql, event, { direction, text, categories, ...about })
  yield* move(sql, event, call, () => [{ type: "reopen" }])
  yield* sql`UPDATE conversations SET flagged = true, updated_at = now() WHERE id = ${call.conversationId}`
})

const notRun = "Not run: the content filter flagged the arguments."

/** The call goes on with its agent, so its conversation is marked and keeps its owner. A tool that was not run gets its entry here. */
const withheld = Effect.fnUntraced(function* (sql: PgClient.PgClient, event: Of<"withheld">, call: CallRow) {
  const { organizationId, callId, what, text, categories, tool } = event
  const about = tool === undefined ? {} : { tool: tool.name, toolCallId: tool.id }
  yield* audit(sql, event, { what, text, categories, ...about })
  if (tool !== undefined)
    yield* sql`INSERT INTO tool_calls (organization_id, call_id, id, name, arguments, result, outcome, duration_ms, withheld)
      VALUES (${organizationId}, ${callId}, ${tool.id}, ${tool.name}, ${call.erased ? blank : text}, ${notRun}, 'error', 0, ${categories}::text[])
      ON CONFLICT (organization_id, call_id, id) DO UPDATE SET withheld = excluded.withheld`
  yield* sql`UPDATE conversations SET flagged = true, updated_at = now() WHERE id = ${call.conversationId}`
})

const handoff = Effect.fnUntraced(function* (sql: PgClient.PgClient, event: Of<"handoff">, call: CallRow) {
  // The reason is the agent's own text, which may contain data about the caller.
  yield* audit(sql, event, { reason: call.erased ? blank : event.reason })
  yield* move(sql, event, call, () => [{ type: "reopen" }])
})

/** Writes the end of the call and counts the call in the ledger, in the same transaction. */
const ended = (sql: PgClient.PgClient, event: Of<"call_end">, call: CallRow) =>
  Effect.andThen(writeCall(sql, event, endOf(call, event)), enterCall(sql, call.id))

const recorded = (sql: PgClient.PgClient, event: Of<"recording">) => {
  const { key, bytes, durationMs } = event
  // Only the key decides which file is read later, so it must belong to this call, whatever an engine sends.
  if (!isRecordingOf(event, key)) return Effect.logError("a recording of another call was refused", { key })
  return sql`UPDATE calls SET recordings = recordings || ${sql.json([{ key, bytes, durationMs }])}::jsonb
    WHERE id = ${event.callId}`
}

/**
 * From now on earlier engines do not count. What they recorded after their last checkpoint is recorded again, perhaps in another order. A take-over that is
 * told later than the next one does not undo that.
 */
const takenOver = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  { callId, fence, sequence }: Of<"call_taken_over">,
  { takeovers }: CallRow
) {
  yield* sql`UPDATE calls SET takeovers = takeovers || jsonb_build_object(${String(fence)}::text, ${sequence}::integer) WHERE id = ${callId}`
  if (Object.keys(takeovers).some((later) => Number(later) > fence)) return
  yield* sql`DELETE FROM utterances WHERE call_id = ${callId} AND sequence >= ${sequence}`
})

const change = (sql: PgClient.PgClient, event: LongEvent, call: CallRow) => {
  switch (event.type) {
    case "call_started":
      return started(sql, event, call)
    case "call_taken_over":
      return takenOver(sql, event, call)
    case "moderation":
      return moderation(sql, event, call)
    case "person_lost":
      return audit(sql, event, {})
    case "withheld":
      return withheld(sql, event, call)
    case "handoff":
      return handoff(sql, event, call)
    case "call_end":
      return ended(sql, event, call)
    case "recording":
      return recorded(sql, event)
  }
}

/** Logs an event of an unknown call. */
export const ignored = ({ callId, type }: CallEvent) =>
  Effect.logWarning("An event of an unknown call was ignored", { callId, type })

/** Applies an event unless it was applied before. For a recording of an erased call it gives the key of the file, every time the event comes. */
export const applyEvent = Effect.fnUntraced(function* (sql: PgClient.PgClient, event: LongEvent) {
  const [call] = yield* sql<CallRow>`SELECT * FROM calls WHERE id = ${event.callId} FOR NO KEY UPDATE`
  if (call === undefined) return yield* ignored(event)
  if (call.erased && event.type === "recording" && isRecordingOf(event, event.key)) return event.key
  if (isReplaced(event, call)) return yield* tellReplaced(event)
  const fresh = yield* sql`INSERT INTO call_events (organization_id, id, call_id, type)
    VALUES (${event.organizationId}, ${event.id}, ${event.callId}, ${event.type})
    ON CONFLICT (organization_id, id) DO NOTHING RETURNING id`
  if (fresh.length === 0) return
  yield* change(sql, event, call)
  yield* tellOfCall(sql, call, call.id)
})
