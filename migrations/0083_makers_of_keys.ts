/**
 * API keys name the person who made them, and end with that person. Makers of existing keys are taken from the audit log. A key without a maker was
 * made at the operator's command line.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const tables = ["users", "api_keys", "audit_log"]

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // A rotated key is logged under the id of the key that it replaces.
  const made = sql`(SELECT organization_id, actor_type, actor_id,
      CASE action WHEN 'api_key.created' THEN subject_id ELSE state_after ->> 'rotatedTo' END AS key_id
    FROM audit_log WHERE action IN ('api_key.created', 'api_key.rotated')) AS made`

  yield* sql`ALTER TABLE api_keys ADD COLUMN maker_id text,
    ADD CONSTRAINT api_keys_maker FOREIGN KEY (organization_id, maker_id) REFERENCES users (organization_id, id)
      ON DELETE CASCADE`
  yield* sql`CREATE INDEX api_keys_of_maker ON api_keys (organization_id, maker_id) WHERE maker_id IS NOT NULL`

  for (const table of tables) yield* sql.unsafe(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`)
  yield* sql`UPDATE api_keys k SET maker_id = made.actor_id FROM ${made} JOIN users u
      ON u.organization_id = made.organization_id AND u.id = made.actor_id
    WHERE made.actor_type = 'user' AND k.organization_id = made.organization_id AND k.id = made.key_id`
  // A key that was made with a key has the maker of that key. Chains are short: each pass reaches one link further, until none is left.
  for (let found = 1; found > 0; )
    found = (yield* sql`UPDATE api_keys k SET maker_id = parent.maker_id FROM ${made} JOIN api_keys parent
        ON parent.organization_id = made.organization_id AND parent.id = made.actor_id
      WHERE made.actor_type = 'key' AND k.organization_id = made.organization_id AND k.id = made.key_id
        AND k.maker_id IS NULL AND parent.maker_id IS NOT NULL RETURNING k.id`).length
  // Whose maker was deactivated before ends now.
  yield* sql`UPDATE api_keys k SET revoked_at = now() FROM users u
    WHERE u.organization_id = k.organization_id AND u.id = k.maker_id AND u.deactivated_at IS NOT NULL
      AND k.revoked_at IS NULL`
  for (const table of tables) yield* sql.unsafe(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`)
})
