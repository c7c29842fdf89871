/**
 * A call says that its contact was erased: what is still told of it afterwards (words in an engine's journal, a recording on its way, a message that the
 * provider speaks of later) is not kept.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { overAllTenants } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE calls ADD COLUMN erased boolean NOT NULL DEFAULT false`
  // Those that were erased before: something of them may still be on its way.
  yield* overAllTenants(
    ["calls"],
    sql`UPDATE calls SET erased = true WHERE contact_id IS NULL
      AND CASE direction WHEN 'inbound' THEN from_address ELSE to_address END = 'erased'`
  )

  // As in migration 51, but words of an erased call are only noted as applied.
  yield* sql`CREATE OR REPLACE FUNCTION add_utterance(wanted_organization text, wanted text, event_id text, utterance_id text, utterance jsonb)
    RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE is_erased boolean;
    BEGIN
      PERFORM enter_organization(wanted_organization);
      SELECT k.erased INTO is_erased FROM calls k WHERE k.organization_id = wanted_organization AND k.id = wanted FOR UPDATE;
      IF NOT FOUND THEN RETURN false; END IF;
      INSERT INTO call_events (organization_id, id, call_id, type) VALUES (wanted_organization, event_id, wanted, 'transcript')
        ON CONFLICT (organization_id, id) DO NOTHING;
      IF NOT FOUND OR is_erased THEN RETURN true; END IF;
      INSERT INTO utterances (organization_id, id, call_id, sequence, role, text, interrupted, start_ms, end_ms)
        VALUES (wanted_organization, utterance_id, wanted, (utterance ->> 'sequence')::integer, utterance ->> 'role', utterance ->> 'text',
          (utterance ->> 'interrupted')::boolean, (utterance ->> 'startMs')::integer, (utterance ->> 'endMs')::integer);
      RETURN true;
    END $$`
})
