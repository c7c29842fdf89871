/** What calls cost. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // One row per call. No foreign keys to call and agent: what was used stays counted when they are gone. Terms and day are those of the time of the
  // call.
  yield* sql`CREATE TABLE voice_ledger (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    call_id text NOT NULL,
    agent_id text,
    voice_family text NOT NULL CHECK (voice_family IN ('indic', 'english', 'premium')),
    started_at timestamptz NOT NULL,
    day date NOT NULL,
    seconds integer NOT NULL,
    minutes integer NOT NULL,
    minutes_per_month integer NOT NULL,
    overage_micros_per_minute integer NOT NULL,
    speech_to_text_micros integer NOT NULL,
    language_model_micros integer NOT NULL,
    text_to_speech_micros integer NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, call_id)
  )`
  yield* sql`CREATE INDEX voice_ledger_by_day ON voice_ledger (organization_id, day)`
  yield* isolate("voice_ledger")
})
