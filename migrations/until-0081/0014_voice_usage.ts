/** What calls cost: one row per call in the ledger, the terms an organization agreed on, and indexes for looking through its calls. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE organizations ADD COLUMN voice_terms jsonb`

  // No foreign keys to call and agent: what was used stays counted when they are gone. Terms and day are those of the call's time.
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

  const newest = "created_at DESC, id DESC"
  yield* sql.unsafe(`CREATE INDEX calls_by_direction ON calls (organization_id, agent_id, direction, ${newest})`)
  yield* sql.unsafe(`CREATE INDEX calls_by_status ON calls (organization_id, agent_id, status, ${newest})`)
  yield* sql.unsafe(`CREATE INDEX calls_by_end_reason ON calls (organization_id, agent_id, end_reason, ${newest})`)
  yield* sql`CREATE INDEX calls_by_duration ON calls (organization_id, agent_id, duration_seconds)`
  // The other side of the line, whoever called.
  yield* sql.unsafe(`CREATE INDEX calls_by_phone ON calls
    (organization_id, agent_id, (CASE direction WHEN 'inbound' THEN from_address ELSE to_address END), ${newest})`)
})
