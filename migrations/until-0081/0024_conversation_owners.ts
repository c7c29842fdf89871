/** Who may write in a conversation (its owner's epoch), which commands it has carried out, and by when it is to be answered and resolved. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE organizations ADD COLUMN sla_policy jsonb`
  // Times of milliseconds, which the timers of the owner keep. `sla_due_at` is the first of those that were not missed yet.
  yield* sql`ALTER TABLE conversations
    ADD COLUMN epoch bigint NOT NULL DEFAULT 0,
    ADD COLUMN sla_since timestamptz(3),
    ADD COLUMN response_due_at timestamptz(3),
    ADD COLUMN resolution_due_at timestamptz(3),
    ADD COLUMN response_breached_at timestamptz(3),
    ADD COLUMN resolution_breached_at timestamptz(3),
    ADD COLUMN sla_due_at timestamptz(3)`
  yield* sql`CREATE INDEX conversations_due ON conversations (sla_due_at) WHERE sla_due_at IS NOT NULL`

  yield* sql`CREATE TABLE conversation_commands (
    organization_id text NOT NULL,
    conversation_id text NOT NULL,
    id text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, conversation_id, id),
    FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX conversation_commands_by_age ON conversation_commands (created_at)`
  yield* isolate("conversation_commands")

  yield* sql`CREATE POLICY due ON conversations FOR SELECT TO CURRENT_USER
    USING ((SELECT current_setting('app.cross_tenant', true)) = 'due')`
  yield* sql`CREATE FUNCTION due_conversations(at timestamptz, most integer)
    RETURNS TABLE (organization_id text, id text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'due', true);
      RETURN QUERY SELECT v.organization_id, v.id FROM conversations v WHERE v.sla_due_at <= at ORDER BY v.sla_due_at LIMIT most;
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`
  yield* sql`REVOKE ALL ON FUNCTION due_conversations(timestamptz, integer) FROM PUBLIC`

  for (const command of ["SELECT", "DELETE"])
    yield* sql.unsafe(`CREATE POLICY expire_${command.toLowerCase()} ON conversation_commands FOR ${command} TO CURRENT_USER
      USING ((SELECT current_setting('app.cross_tenant', true)) = 'expire')`)
  yield* sql`CREATE FUNCTION forget_commands(before timestamptz, most integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DECLARE gone integer;
    BEGIN
      PERFORM set_config('app.cross_tenant', 'expire', true);
      DELETE FROM conversation_commands WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM conversation_commands WHERE created_at < before LIMIT most));
      GET DIAGNOSTICS gone = ROW_COUNT;
      PERFORM set_config('app.cross_tenant', '', true);
      RETURN gone;
    END $$`
  yield* sql`REVOKE ALL ON FUNCTION forget_commands(timestamptz, integer) FROM PUBLIC`
})
