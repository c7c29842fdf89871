/** Voicemails in Postgres. A claim is a lease: it moves `due_at` on, so that another worker takes over from one that died. */
import { Effect, Layer } from "effect"
import { traced } from "../../../../domain/basics/Traced.ts"
import {
  type NewVoicemail,
  type Voicemail,
  type VoicemailStep,
  Voicemails
} from "../../../../domain/voice/calls/inbound/Voicemail.ts"
import { makeSql } from "../../tenancy/Sql.ts"
import { dueVoicemails } from "./AcrossTenants.ts"

export const layer = Layer.effect(
  Voicemails,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    /**
     * Stores the first report about a recording. A later report that there is no recording still counts until the recording has been fetched. Gives
     * false when there is no such call.
     */
    const note = (message: NewVoicemail, step: VoicemailStep, now: number) => {
      const { organizationId, callId, callSid, accountSid, recordingSid } = message
      return asTenant(organizationId)(
        Effect.gen(function* () {
          const calls = yield* sql`SELECT 1 FROM calls WHERE id = ${callId} AND call_sid = ${callSid}`
          if (calls.length === 0) return false
          yield* sql`INSERT INTO voicemails (organization_id, recording_sid, call_id, account_sid, step, due_at)
            VALUES (${organizationId}, ${recordingSid}, ${callId}, ${accountSid}, ${step}, ${new Date(now)})
            ON CONFLICT (organization_id, recording_sid) DO UPDATE SET step = excluded.step
              WHERE voicemails.step = 'fetch' AND excluded.step = 'given_up'`
          return true
        })
      )
    }

    return Voicemails.of({
      received: traced("Voicemails.received")((message, now) => note(message, "fetch", now), Effect.orDie),
      absent: traced("Voicemails.absent")((message, now) => note(message, "given_up", now), Effect.orDie),

      claim: traced("Voicemails.claim")(function* (now, leaseMs, most) {
        const claimed = yield* Effect.forEach(
          yield* dueVoicemails(sql, now, most),
          ({ organizationId, recordingSid }) =>
            asTenant(organizationId)(
              sql<Voicemail>`UPDATE voicemails v SET due_at = ${new Date(now + leaseMs)} FROM calls c
              WHERE v.recording_sid = ${recordingSid} AND v.due_at <= ${new Date(now)} AND c.id = v.call_id
              RETURNING v.organization_id, v.call_id, c.agent_id, c.erased, v.account_sid, v.recording_sid, v.step, v.attempts`
            )
        )
        return claimed.flat()
      }, Effect.orDie),

      advance: traced("Voicemails.advance")(function* ({ organizationId, callId, recordingSid }, step, now) {
        const moved = sql`UPDATE voicemails SET step = ${step}, attempts = 0, due_at = ${new Date(now)}
            WHERE recording_sid = ${recordingSid}`
        // The words of a voicemail come after the call's end.
        const summedUp = sql`UPDATE call_summaries SET state = 'waiting', due_at = ${new Date(now)}
            WHERE call_id = ${callId} AND state = 'nothing_said'`
        yield* asTenant(organizationId)(step === "done" ? Effect.andThen(moved, summedUp) : moved)
      }, Effect.orDie),

      postpone: traced("Voicemails.postpone")(function* ({ organizationId, recordingSid }, dueAt, error) {
        yield* asTenant(organizationId)(
          sql`UPDATE voicemails SET attempts = attempts + 1, due_at = ${new Date(dueAt)}, last_error = ${error.slice(0, 500)}
            WHERE recording_sid = ${recordingSid}`
        )
      }, Effect.orDie)
    })
  })
)
