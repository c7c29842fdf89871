/** Who changed what, from where: the audit log tells of people and keys, not only of calls. Its organization cannot be deleted while it is there. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE audit_log
    ADD COLUMN actor_type text NOT NULL DEFAULT 'system' CHECK (actor_type IN ('key', 'user', 'operator', 'system')),
    ADD COLUMN actor_id text,
    ADD COLUMN state_before jsonb,
    ADD COLUMN state_after jsonb,
    ADD COLUMN ip text,
    ADD COLUMN request_id text,
    ALTER COLUMN details SET DEFAULT '{}'`
  // With CASCADE, whoever may delete an organization could delete its log.
  yield* sql`ALTER TABLE audit_log DROP CONSTRAINT audit_log_organization_id_fkey,
    ADD CONSTRAINT audit_log_organization FOREIGN KEY (organization_id) REFERENCES organizations (id)`
  yield* sql`CREATE INDEX audit_log_newest ON audit_log (organization_id, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX audit_log_of_actor ON audit_log (organization_id, actor_id, created_at DESC)`
})
