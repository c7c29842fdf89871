/** Counts and removes expired records of calls in Postgres. A removed transcript takes all utterances of the call, and its summary. */
import { Effect, Layer, Schema } from "effect"
import { traced } from "../../../domain/basics/Traced.ts"
import { type ExpiredRecording, ExpiredRecords, type RetentionCounts } from "../../../domain/privacy/Retention.ts"
import { RecordingPart } from "../../../domain/voice/calls/records/RecordingParts.ts"
import { makeSql } from "../tenancy/Sql.ts"
import { recordingsWithout } from "../voice/calls/CallRows.ts"
import { expireModerations } from "./AcrossTenants.ts"

const decodeParts = Schema.decodeUnknownEffect(Schema.Array(RecordingPart))

/** The time when a call ended; its beginning if it never ended. */
const overAt = "coalesce(c.ended_at, c.created_at)"

export const layer = Layer.effect(
  ExpiredRecords,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const over = sql.literal(overAt)

    /** The condition also names the age of the utterances, so that an index finds the old ones and recent calls are not read. */
    const oldTranscripts = (before: Date) => sql`SELECT u.call_id FROM utterances u
      JOIN calls c ON c.organization_id = u.organization_id AND c.id = u.call_id
      WHERE u.created_at < ${before} AND ${over} < ${before}`

    const oldRecordings = (before: Date) =>
      sql`FROM calls c WHERE c.recordings <> '[]' AND c.created_at < ${before} AND ${over} < ${before}`

    const recording = Effect.fnUntraced(function* (row: { readonly id: string; readonly recordings: unknown }) {
      const parts = yield* decodeParts(row.recordings)
      return { callId: row.id, keys: parts.map(({ key }) => key) } satisfies ExpiredRecording
    })

    return ExpiredRecords.of({
      count: traced("ExpiredRecords.count")(function* (organizationId, cutoffs) {
        const [transcripts, recordings, audits] = [cutoffs.transcripts, cutoffs.recordings, cutoffs.audits].map(
          (at) => new Date(at)
        )
        const [found] = yield* asTenant(organizationId)(
          sql<RetentionCounts>`WITH old AS (SELECT DISTINCT call_id FROM (${oldTranscripts(transcripts)}) o)
            SELECT (SELECT count(*) FROM old)::int AS transcripts,
              (SELECT count(*) FROM utterances WHERE call_id IN (SELECT call_id FROM old))::int AS utterances,
              (SELECT coalesce(sum(jsonb_array_length(c.recordings)), 0) ${oldRecordings(recordings)})::int AS recordings,
              0 AS recordings_failed,
              ((SELECT count(*) FROM tool_calls WHERE created_at < ${audits})
                + (SELECT count(*) FROM agent_tool_runs WHERE started_at < ${audits}))::int AS tool_calls,
              (SELECT count(*) FROM audit_log WHERE action IN ('call.moderation', 'call.withheld') AND created_at < ${audits})::int AS moderations`
        )
        return found
      }, Effect.orDie),

      removeTranscripts: traced("ExpiredRecords.removeTranscripts")(function* (organizationId, before, most) {
        const [removed] = yield* asTenant(organizationId)(
          sql<{ transcripts: number; utterances: number }>`
            WITH old AS (SELECT DISTINCT call_id FROM (${oldTranscripts(new Date(before))}) o LIMIT ${most}),
              summaries AS (DELETE FROM call_summaries WHERE call_id IN (SELECT call_id FROM old)),
              gone AS (DELETE FROM utterances WHERE call_id IN (SELECT call_id FROM old) RETURNING call_id)
            SELECT count(DISTINCT call_id)::int AS transcripts, count(*)::int AS utterances FROM gone`
        )
        return removed
      }, Effect.orDie),

      removeToolCalls: traced("ExpiredRecords.removeToolCalls")(function* (organizationId, before, most) {
        const at = new Date(before)
        const ofCalls = sql`DELETE FROM tool_calls WHERE (call_id, id) IN (SELECT call_id, id FROM tool_calls
            WHERE created_at < ${at} LIMIT ${most}) RETURNING id`
        const ofTurns = sql`DELETE FROM agent_tool_runs WHERE (conversation_id, turn_id, key) IN
            (SELECT conversation_id, turn_id, key FROM agent_tool_runs WHERE started_at < ${at} LIMIT ${most}) RETURNING key`
        const removed = yield* asTenant(organizationId)(Effect.all([ofCalls, ofTurns]))
        // The batch goes on while one of both is full.
        return Math.max(...removed.map(({ length }) => length))
      }, Effect.orDie),

      removeModerations: traced("ExpiredRecords.removeModerations")(
        (organizationId, before, most) => asTenant(organizationId)(expireModerations(sql, before, most)),
        Effect.orDie
      ),

      recordings: traced("ExpiredRecords.recordings")(function* (organizationId, before, after, most) {
        const rows = yield* asTenant(organizationId)(
          sql<{ id: string; recordings: unknown }>`SELECT c.id, c.recordings ${oldRecordings(new Date(before))}
            AND c.id > ${after} ORDER BY c.id LIMIT ${most}`
        )
        return yield* Effect.forEach(rows, recording)
      }, Effect.orDie),

      forgetRecordings: traced("ExpiredRecords.forgetRecordings")(function* (organizationId, { callId, keys }) {
        yield* asTenant(organizationId)(
          sql`UPDATE calls SET recordings = ${recordingsWithout(sql, keys)} WHERE id = ${callId}`
        )
      }, Effect.orDie),

      wasRun: traced("ExpiredRecords.wasRun")(function* (organizationId, day) {
        const rows = yield* asTenant(organizationId)(
          sql`SELECT 1 AS found FROM retention_runs WHERE day = ${day}::date`
        )
        return rows.length > 0
      }, Effect.orDie),

      noteRun: traced("ExpiredRecords.noteRun")(function* (organizationId, day, counts, now) {
        const { transcripts, utterances, recordings, recordingsFailed, toolCalls, moderations } = counts
        yield* asTenant(organizationId)(
          sql`INSERT INTO retention_runs AS known (organization_id, day, transcripts, utterances, recordings, recordings_failed,
              tool_calls, moderations, finished_at)
            VALUES (${organizationId}, ${day}::date, ${transcripts}, ${utterances}, ${recordings}, ${recordingsFailed},
              ${toolCalls}, ${moderations}, ${new Date(now)})
            ON CONFLICT (organization_id, day) DO UPDATE SET transcripts = known.transcripts + excluded.transcripts,
              utterances = known.utterances + excluded.utterances, recordings = known.recordings + excluded.recordings,
              recordings_failed = excluded.recordings_failed, tool_calls = known.tool_calls + excluded.tool_calls,
              moderations = known.moderations + excluded.moderations, finished_at = excluded.finished_at`
        )
      }, Effect.orDie)
    })
  })
)
