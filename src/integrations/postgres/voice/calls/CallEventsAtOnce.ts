/**
 * Applies the events that every call has, without a transaction of several round trips (`functions/calls.sql`). An utterance takes one statement. A
 * start or an end takes two: one that reads, and one that writes if nothing has changed since. `CallEvents.ts` applies events that need more.
 */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Effect } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import type { NewEvent } from "../../../../domain/events/EventData.ts"
import { type Conversation, noSla } from "../../../../domain/messaging/conversations/Conversation.ts"
import type { Applied } from "../../../../domain/voice/calls/records/CallRecord.ts"
import type { CallEvent } from "../../../../domain/voice/engine/CallEvent.ts"
import { eventsWithIds, tellEvents } from "../../events/EventLog.ts"
import { type OwnershipRow, ownershipOf } from "../../messaging/conversations/Ownership.ts"
import { rerunning } from "../../tenancy/Conflicts.ts"
import { iso } from "../../tenancy/Sql.ts"
import { type CallChanges, endOf, startOf } from "./CallChanges.ts"
import { callEventTypes } from "./CallEventLog.ts"
import { type CallRow, callRecord } from "./CallRows.ts"
import { isReplaced, tellReplaced } from "./CallTakeOvers.ts"
import { type LedgerFacts, ledgerEntry } from "./VoiceLedger.ts"

type Of<Type extends CallEvent["type"]> = Extract<CallEvent, { readonly type: Type }>

/** The events that may need several statements: all except utterances. */
export type LongEvent = Exclude<CallEvent, Of<"transcript">>

/** The result for an event. `Unknown`: there is no such call. `Later`: nothing was written, and `CallEvents.ts` must apply the event. */
export type Attempt =
  | ({ readonly _tag: "Applied" } & Applied)
  | { readonly _tag: "Unknown" }
  | { readonly _tag: "Later"; readonly event: LongEvent }

const unknown: Attempt = { _tag: "Unknown" }
const later = (event: LongEvent): Attempt => ({ _tag: "Later", event })
const applied = (transferred: boolean): Attempt => ({ _tag: "Applied", transferred })

interface FoundRow
  extends CallRow,
    Pick<LedgerFacts, "organizationId" | "family" | "timeZone" | "plan" | "voiceTerms"> {
  readonly contactId: string | null
  readonly version: string
  /** The event was applied before. */
  readonly known: boolean
  readonly handedOver: boolean
  readonly transferred: boolean
  /** The conversation has no SLA clock and no messages. */
  readonly plain: boolean | null
  readonly conversationStatus: OwnershipRow["status"] | null
  readonly assignedUserId: string | null
  readonly assignedAgentId: string | null
  readonly unreadCount: number
  readonly flagged: boolean
  readonly lastActivityAt: Date
  readonly conversationCreatedAt: Date
  readonly conversationVersion: string | null
  readonly contactName: string | null
  readonly contactPhone: string | null
}

interface Change {
  readonly changes: CallChanges
  /** The id of the agent that takes the call's conversation; null when none does. */
  readonly agent: string | null
  readonly entry: Effect.Success<ReturnType<typeof ledgerEntry>>
  readonly happened: ReadonlyArray<NewEvent>
}

/** The conversation after its assignment to `assignee`. The statement fills in `updatedAt`. */
const taken = (call: FoundRow, conversationId: string, contactId: string, assignee: string): Conversation => ({
  id: conversationId,
  organizationId: call.organizationId,
  channel: "voice",
  status: "ASSIGNED",
  assignee,
  labels: [],
  snoozedUntil: null,
  contact: { id: contactId, name: call.contactName, phone: call.contactPhone },
  unreadCount: call.unreadCount,
  flagged: call.flagged,
  window: null,
  sla: noSla,
  lastMessage: null,
  lastActivityAt: iso(call.lastActivityAt),
  createdAt: iso(call.conversationCreatedAt),
  updatedAt: ""
})

const eventsOf = Effect.fnUntraced(function* (call: FoundRow, changes: CallChanges) {
  const after = { ...call, ...changes }
  const types = callEventTypes(call, after)
  if (types.length === 0) return []
  const record = yield* callRecord(after)
  return types.map((type): NewEvent => ({ type, data: { call: record } }))
})

/** The changes of a start. Gives `undefined` when they need several statements. */
const started = Effect.fnUntraced(function* (call: FoundRow, event: Of<"call_started">) {
  const { agentId, conversationId, contactId, conversationStatus } = call
  const changes = startOf(call, event)
  const happened = yield* eventsOf(call, changes)
  const change: Change = { changes, agent: null, entry: null, happened }
  if (call.handedOver || agentId === null || conversationId === null || conversationStatus === null) return change
  if (call.plain !== true || contactId === null) return undefined
  if (ownershipOf({ ...call, assignedBotId: null, status: conversationStatus }).status !== "OPEN") return change
  const conversation = taken(call, conversationId, contactId, agentId)
  const news: NewEvent = { type: "conversation.assigned", data: { conversation } }
  return { ...change, agent: agentId, happened: [news, ...happened] }
})

const ended = Effect.fnUntraced(function* (call: FoundRow, event: Of<"call_end">) {
  const changes = endOf(call, event)
  const after = { ...call, ...changes, startedAt: call.startedAt ?? call.createdAt }
  const change: Change = {
    changes,
    agent: null,
    entry: yield* ledgerEntry(call.id, after),
    happened: yield* eventsOf(call, changes)
  }
  return change
})

const change = Effect.fnUntraced(function* (sql: PgClient.PgClient, event: Of<"call_started"> | Of<"call_end">) {
  const { organizationId, callId, id, type } = event
  const [call] =
    yield* sql<FoundRow>`SELECT (f.call).*, f.version, f.known, f.handed_over, f.transferred, f.plain, f.conversation_status,
      f.assigned_user_id, f.assigned_agent_id, f.unread_count, f.flagged, f.last_activity_at, f.conversation_created_at, f.conversation_version,
      f.contact_name, f.contact_phone, f.plan, f.voice_terms, f.time_zone, f.family
    FROM call_to_change(${organizationId}, ${callId}, ${id}) f`
  if (call === undefined) return unknown
  if (call.known) return applied(call.transferred)
  if (isReplaced(event, call)) return yield* Effect.as(tellReplaced(event), applied(call.transferred))
  // The record of a transferred call also shows the transfer, which `call_to_change` does not read. Such calls are few.
  if (call.transferred) return later(event)
  const next = yield* event.type === "call_started" ? started(call, event) : ended(call, event)
  if (next === undefined) return later(event)
  const { changes, agent, entry, happened } = next
  const now = yield* Clock.currentTimeMillis
  const [{ done }] = yield* sql<{
    done: boolean
  }>`SELECT change_call(${organizationId}, ${callId}, ${call.version}, ${id}, ${type},
    ${sql.json(changes)}::jsonb, ${entry === null ? null : sql.json(entry)}::jsonb, ${agent}, ${call.conversationId},
    ${call.conversationVersion}, ${sql.json(eventsWithIds(happened, now))}::jsonb, ${new Date(now)}) AS done`
  if (!done) return later(event)
  if (happened.length > 0) yield* tellEvents
  return applied(false)
})

const say = Effect.fnUntraced(function* (sql: PgClient.PgClient, event: Of<"transcript">) {
  const {
    organizationId,
    callId,
    id,
    sequence,
    role,
    text,
    interrupted,
    startMs,
    endMs,
    sources,
    by,
    fence = 0
  } = event
  const more = { fence, ...(sources === undefined ? {} : { sources }), ...(by === undefined ? {} : { by }) }
  const utterance = { sequence, role, text, interrupted, startMs, endMs, ...more }
  const [{ found }] = yield* sql<{
    found: boolean
  }>`SELECT add_utterance(${organizationId}, ${callId}, ${id}, ${newId("utt")},
    ${sql.json(utterance)}::jsonb) AS found`
  return found ? applied(false) : unknown
})

/** Applies an event unless it was applied before. Must not run in a transaction. */
export const applyAtOnce = (sql: PgClient.PgClient, event: CallEvent) => {
  switch (event.type) {
    case "transcript":
      return rerunning(say(sql, event))
    case "call_started":
    case "call_end":
      return rerunning(change(sql, event))
    default:
      return Effect.succeed(later(event))
  }
}
