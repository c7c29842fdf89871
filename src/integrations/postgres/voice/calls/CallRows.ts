/** Rows of calls as the database gives them, and the records they become. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { CallRecord, ToolCallAudit, talkRatio, Utterance } from "../../../../domain/voice/calls/records/CallRecord.ts"
import { RecordingPart, recordingSummary } from "../../../../domain/voice/calls/records/RecordingParts.ts"
import { iso, isoOrNull } from "../../tenancy/Sql.ts"
import type { ProgressColumns } from "./ProgressColumns.ts"

/** What `CallRow.transfer` is read with: the newest transfer of a call, as JSON. */
export const newestTransfer = `(SELECT json_build_object('destination', destination, 'outcome', outcome,
  'at', coalesce(over_at, requested_at)) FROM transfers WHERE call_id = calls.id ORDER BY ticket DESC LIMIT 1) AS transfer`

/** What stands in a call for what went with its contact. */
export const blank = "erased"

/** The calls that count as being held now. One that nobody ended in half a day has been lost track of. */
export const liveCalls = (sql: PgClient.PgClient) =>
  sql`calls.status IN ('queued', 'ringing', 'in_progress') AND calls.created_at > now() - interval '12 hours'`

export interface CallRow extends ProgressColumns {
  readonly id: string
  readonly agentId: string | null
  readonly conversationId: string | null
  readonly fromAddress: string
  readonly toAddress: string
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
  /** Missing from a row just written: a new call has none. */
  readonly transfer?: { readonly destination: string | null; readonly outcome: string; readonly at: string } | null
  readonly recordings: unknown
  /** Its contact was erased: of what is told from then on only numbers are kept. */
  readonly erased: boolean
}

const decodeParts = Schema.decodeUnknownEffect(Schema.Array(RecordingPart))

/** They are written when they are stored; their keys tell when they began. */
export const recordingParts = ({ recordings }: Pick<CallRow, "recordings">) =>
  Effect.map(decodeParts(recordings), (parts) => [...parts].sort((a, b) => (a.key < b.key ? -1 : 1)))

/** The value of `calls.recordings` once the files under these keys are gone. */
export const recordingsWithout = (sql: PgClient.PgClient, gone: ReadonlyArray<string>) =>
  sql`(SELECT coalesce(jsonb_agg(part), '[]') FROM jsonb_array_elements(recordings) part WHERE part ->> 'key' <> ALL(${gone}::text[]))`

/** Fails when the database holds what the domain does not know. */
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

export const utterance = Schema.decodeUnknownEffect(Utterance)

export const toolCall = (row: { readonly createdAt: Date }) =>
  Schema.decodeUnknownEffect(ToolCallAudit)({ ...row, createdAt: iso(row.createdAt) })
