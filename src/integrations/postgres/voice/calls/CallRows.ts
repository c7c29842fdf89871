/** Converts database rows of calls into records. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { CallRecord, ToolCallAudit, talkRatio, Utterance } from "../../../../domain/voice/calls/records/CallRecord.ts"
import { RecordingPart, recordingSummary } from "../../../../domain/voice/calls/records/RecordingParts.ts"
import { saidOf } from "../../messaging/conversations/CallItems.ts"
import { iso, isoOrNull } from "../../tenancy/Sql.ts"
import type { TakeOverColumns } from "./CallTakeOvers.ts"
import type { ProgressColumns } from "./ProgressColumns.ts"

/** The SQL column for `CallRow.transfer`: the newest transfer of a call, as JSON. */
export const newestTransfer = `(SELECT json_build_object('destination', destination, 'outcome', outcome,
  'at', coalesce(over_at, requested_at)) FROM transfers WHERE call_id = calls.id ORDER BY ticket DESC LIMIT 1) AS transfer`

/** The text that replaces erased data of a contact in a call. */
export const blank = "erased"

/** An SQL condition for calls that count as running now. A call without an end after 12 hours counts as lost. */
export const liveCalls = (sql: PgClient.PgClient) =>
  sql`calls.status IN ('queued', 'ringing', 'in_progress') AND calls.created_at > now() - interval '12 hours'`

export interface CallRow extends ProgressColumns, TakeOverColumns {
  readonly id: string
  readonly direction: string
  readonly agentId: string | null
  readonly conversationId: string | null
  readonly fromAddress: string
  readonly toAddress: string
  readonly test: boolean
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  readonly createdAt: Date
  readonly durationSeconds: number | null
  readonly interruptions: number
  readonly falseInterruptions: number
  readonly toolCallCount: number
  readonly turns: CallRecord["turns"]
  readonly callerTalkMs: number | null
  readonly agentTalkMs: number | null
  /** Missing in a newly written row: a new call has no transfer. */
  readonly transfer?: { readonly destination: string | null; readonly outcome: string; readonly at: string } | null
  readonly recordings: unknown
  /** The contact was erased: later events store numbers only, no text. */
  readonly erased: boolean
}

const decodeParts = Schema.decodeUnknownEffect(Schema.Array(RecordingPart))

/** The recordings of a row in the order of their beginning. The row lists them in the order of storing; the keys sort by beginning. */
export const recordingParts = ({ recordings }: Pick<CallRow, "recordings">) =>
  Effect.map(decodeParts(recordings), (parts) => [...parts].sort((a, b) => (a.key < b.key ? -1 : 1)))

/** The SQL value of `calls.recordings` without the files under these keys. */
export const recordingsWithout = (sql: PgClient.PgClient, gone: ReadonlyArray<string>) =>
  sql`(SELECT coalesce(jsonb_agg(part), '[]') FROM jsonb_array_elements(recordings) part WHERE part ->> 'key' <> ALL(${gone}::text[]))`

/** The record of a row. Fails when the row does not match the domain's schema. */
export const callRecord = (row: CallRow) =>
  Effect.flatMap(recordingParts(row), (parts) =>
    Schema.decodeUnknownEffect(CallRecord)({
      ...row,
      from: row.fromAddress,
      to: row.toAddress,
      startedAt: isoOrNull(row.startedAt),
      endedAt: isoOrNull(row.endedAt),
      talkRatio: talkRatio(row.callerTalkMs, row.agentTalkMs),
      recording: recordingSummary(row.id, parts),
      transfer: row.transfer == null ? null : { ...row.transfer, at: iso(new Date(row.transfer.at)) },
      createdAt: iso(row.createdAt)
    })
  )

const decodeUtterance = Schema.decodeUnknownEffect(Utterance)

export const utterance = (row: Parameters<typeof saidOf>[0]) => decodeUtterance(saidOf(row))

export const toolCall = (row: { readonly createdAt: Date }) =>
  Schema.decodeUnknownEffect(ToolCallAudit)({ ...row, createdAt: iso(row.createdAt) })
