/**
 * What happens to calls, for the event log. A call is told as started when its agent took it, and as ended when all that tells its end is
 * there: the provider's "completed" may come before the engine's own end, which knows the reason. A call that comes back from a human ends
 * again, and is told again, with the totals.
 */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Effect } from "effect"
import type { EventType } from "../../../../domain/events/Event.ts"
import { isFinal } from "../../../../domain/voice/calls/records/CallProgress.ts"
import { recordEvent } from "../../events/EventLog.ts"
import { type CallRow, callRecord, newestTransfer } from "./CallRows.ts"

export type CallState = Pick<CallRow, "status" | "startedAt" | "endReason" | "recordings">
type CallEventType = Extract<EventType, `call.${string}`>

const isOver = ({ status, startedAt, endReason }: CallState) =>
  isFinal(status) && (startedAt === null || endReason !== null)

const parts = ({ recordings }: CallState) => (Array.isArray(recordings) ? recordings.length : 0)

/** What a change of a call is called, in the order in which it is told. `before` is `undefined` for a new one. */
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

/** Records what has become of a call since it was `before`. */
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

/** Runs `change` and records what it made of the call; its row is locked from here on. Of an unknown call nothing is told. */
export const tellingOfCall = Effect.fnUntraced(function* <A, E>(
  sql: PgClient.PgClient,
  id: string,
  change: Effect.Effect<A, E>
) {
  const [before] = yield* sql<CallRow>`SELECT * FROM calls WHERE id = ${id} FOR UPDATE`
  const result = yield* change
  if (before !== undefined) yield* tellOfCall(sql, before, id)
  return result
})
