/** Summaries of calls in Postgres. A claim is a lease: it moves `due_at` on and counts, so that a worker that lost its claim stores nothing. */
import { Effect, Layer, Schema } from "effect"
import type { TokenUsage } from "../../../../domain/ai/providers/Reasoning.ts"
import { dayAt } from "../../../../domain/basics/Calendar.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import {
  CallSummaries,
  CallSummary,
  type SummaryEnd,
  type SummaryJob
} from "../../../../domain/voice/calls/records/CallSummary.ts"
import { recordEvent } from "../../events/EventLog.ts"
import { addUsage, tokensSince } from "../../messaging/agents/AiTokens.ts"
import { iso, makeSql } from "../../tenancy/Sql.ts"
import { dueSummaries } from "./AcrossTenants.ts"
import { type CallRow, callRecord, newestTransfer } from "./CallRows.ts"

const summary = ({ updatedAt, ...row }: { readonly updatedAt: Date }) =>
  Schema.decodeUnknownEffect(CallSummary)({ ...row, updatedAt: iso(updatedAt) })

const nothing = { text: null, outcome: null, reason: null, nextStep: null, fields: null }

export const layer = Layer.effect(
  CallSummaries,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const summaryOf = (callId: string) =>
      sql<{ updatedAt: Date }>`SELECT state, text, outcome, reason, next_step, fields, problem, updated_at
        FROM call_summaries WHERE call_id = ${callId}`

    const claimOne = Effect.fnUntraced(function* (
      { organizationId, callId }: { readonly organizationId: string; readonly callId: string },
      now: number,
      leaseMs: number
    ) {
      const [row] = yield* sql<{ attempts: number; timeZone: string }>`UPDATE call_summaries s
        SET attempts = attempts + 1, due_at = ${new Date(now + leaseMs)} FROM organizations o
        WHERE s.call_id = ${callId} AND s.state = 'waiting' AND s.due_at <= ${new Date(now)} AND o.id = s.organization_id
        RETURNING s.attempts, o.time_zone`
      if (row === undefined) return []
      const month = dayAt(now, row.timeZone).slice(0, 7)
      const tokensThisMonth = yield* tokensSince(sql, `${month}-01`)
      return [{ organizationId, callId, attempt: row.attempts, tokensThisMonth } satisfies SummaryJob]
    })

    const meter = (organizationId: string, agentId: string | null, usage: ReadonlyArray<TokenUsage>, now: number) =>
      agentId === null || usage.length === 0 ? Effect.void : addUsage(sql, organizationId, agentId, usage, now)

    const tell = Effect.fnUntraced(function* (organizationId: string, callId: string, now: number) {
      const [row] = yield* sql<CallRow>`SELECT calls.*, ${sql.literal(newestTransfer)} FROM calls WHERE id = ${callId}`
      const [found] = yield* summaryOf(callId)
      if (row === undefined || found === undefined) return
      const data = { call: yield* callRecord(row), summary: yield* summary(found) }
      yield* recordEvent(sql, organizationId, { type: "call.summarized", data }, now)
    })

    const end = Effect.fnUntraced(function* (
      { organizationId, callId, attempt }: SummaryJob,
      ended: SummaryEnd,
      now: number
    ) {
      // Who erases the contact holds the call first, and removes the row.
      yield* sql`SELECT 1 FROM calls WHERE id = ${callId} FOR NO KEY UPDATE`
      const { text, outcome, reason, nextStep, fields } = ended.state === "done" ? ended.findings : nothing
      const problem = ended.state === "unavailable" ? ended.problem : null
      const stored =
        yield* sql`UPDATE call_summaries SET state = ${ended.state}, text = ${text}, outcome = ${outcome}, reason = ${reason},
          next_step = ${nextStep}, fields = ${fields === null ? null : sql.json(fields)}::jsonb, problem = ${problem}, updated_at = ${new Date(now)}
        WHERE call_id = ${callId} AND state = 'waiting' AND attempts = ${attempt} RETURNING call_id`
      if (stored.length > 0 && ended.state === "done") yield* tell(organizationId, callId, now)
    })

    return CallSummaries.of({
      find: traced("CallSummaries.find")(function* (organizationId, callId) {
        const [row] = yield* asTenant(organizationId)(summaryOf(callId))
        return row === undefined ? null : yield* summary(row)
      }, Effect.orDie),

      claim: traced("CallSummaries.claim")(function* (now, leaseMs, most) {
        const claimed = yield* Effect.forEach(yield* dueSummaries(sql, now, most), (due) =>
          asTenant(due.organizationId)(claimOne(due, now, leaseMs))
        )
        return claimed.flat()
      }, Effect.orDie),

      end: traced("CallSummaries.end")(function* (job, { agentId }, ended, usage, now) {
        yield* asTenant(job.organizationId)(
          Effect.andThen(end(job, ended, now), meter(job.organizationId, agentId, usage, now))
        )
      }, Effect.orDie),

      postpone: traced("CallSummaries.postpone")(function* (
        { organizationId, callId, attempt },
        { agentId },
        dueAt,
        usage,
        now
      ) {
        yield* asTenant(organizationId)(
          Effect.andThen(
            sql`UPDATE call_summaries SET due_at = ${new Date(dueAt)} WHERE call_id = ${callId} AND state = 'waiting' AND attempts = ${attempt}`,
            meter(organizationId, agentId, usage, now)
          )
        )
      }, Effect.orDie)
    })
  })
)
