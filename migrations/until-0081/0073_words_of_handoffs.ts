/**
 * The audit log is kept for good, and entries of hand-overs quoted the caller, or the model about the caller. What is not a sentence of the
 * service's own goes; the words are in the transcript for as long as that is kept.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { overAllTenants } from "./isolate.ts"

const ownSentences = [
  "The caller left a message.",
  "The human did not answer.",
  "The human's line was busy.",
  "The human could not be dialled.",
  "The caller hung up before a human took the call.",
  "The caller waited too long for a human.",
  "The agent has no human destination.",
  "The caller asked for a human.",
  "The agent asked for a human.",
  "The language model, or the filter for what is said, is out of reach.",
  "The agent's voice is out of reach.",
  "Speech-to-text is out of reach."
]

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* overAllTenants(
    ["audit_log"],
    sql`UPDATE audit_log SET details = jsonb_set(details, '{reason}', '"A human was asked for."')
      WHERE action = 'call.handoff' AND details ->> 'reason' NOT IN ${sql.in(ownSentences)}
        AND details ->> 'reason' NOT LIKE 'Content was flagged (%)'`
  )
})
