/**
 * Records events about calls in the event log. `call.started` is recorded when an agent takes the call. `call.ended` is recorded when the end is
 * complete: the provider's "completed" may arrive before the engine's own end, which has the reason, and even before its start. A call that returns
 * from a human ends again, and is recorded again with the totals.
 */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Effect } from "effect"
import type { EventType } from "../../../../domain/events/Event.ts"
import { isFinal } from "../../../../domain/voice/calls/records/CallProgress.ts"
import { recordEvent } from "../../events/EventLog.ts"
import { type CallRow, callRecord, newestTransfer } from "./CallRows.ts"

export type CallState = Pick<CallRow, "direction" | "status" | "startedAt" | "endReason" | "recordings">
type CallEventType = Exclude<Extract<EventType, `call.${string}`>, "call.summarized">

/** Whether the call was given to an engine, which tells its end. Of those that we place, only an answered one is. */
const hasEngine = ({ direction, status, startedAt }: CallState) =>
  startedAt !== null || direction === "inbound" || status === "completed"

const isOver = (call: CallState) => isFinal(call.status) && (call.endReason !== null || !hasEngine(call))

const parts = ({ recordings }: CallState) => (Array.isArray(recordings) ? recordings.length : 0)

/** The types of the events for a change of a call, in the order of recording. `before` is `undefined` for a new call. */
export const callEventTypes = (before: CallState | undefined, after: CallState): ReadonlyArray<CallEventType> => {
  const types: Array<CallEventType> = []
  if (after.startedAt !== null && (before === undefined || before.startedAt === null)) types.push("call.started")
  if (isOver(after) && !(before !== undefined && isOver(before))) types.push("call.ended")
  if (parts(after) > (before === undefined ? 0 : parts(before))) types.push("call.recorded")
  return types
}

const read = (sql: PgClient.PgClient, id: string) =>
  Effect.map(
    sql<
      CallRow & { organizationId: string }
    >`SELECT calls.*, ${sql.literal(newestTransfer)} FROM calls WHERE id = ${id}`,
    ([row]) => row
  )

/** Records the events for the changes of a call since `before`. */
export const tellOfCall = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  before: CallState | undefined,
  id: string
) {
  const after = yield* read(sql, id)
  if (after === undefined) return
  const types = callEventTypes(before, after)
  if (types.length === 0) return
  const call = yield* callRecord(after)
  const now = yield* Clock.currentTimeMillis
  for (const type of types) yield* recordEvent(sql, after.organizationId, { type, data: { call } }, now)
})

/** Locks the call's row, runs `change` and records the events for it. Records nothing for an unknown call. */
export const tellingOfCall = Effect.fnUntraced(function* <A, E>(
  sql: PgClient.PgClient,
  id: string,
  change: Effect.Effect<A, E>
) {
  const [before] = yield* sql<CallRow>`SELECT * FROM calls WHERE id = ${id} FOR NO KEY UPDATE`
  const result = yield* change
  if (before !== undefined) yield* tellOfCall(sql, before, id)
  return result
})
