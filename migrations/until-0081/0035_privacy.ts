/** Exports of contacts; what retention took away, by kind; and how long an organization keeps what it may decide. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, overAllTenants } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // No cascade from the contact: the file of an export has to go before its row, which whoever erases the contact sees to.
  yield* sql`CREATE TABLE contact_exports (
    organization_id text NOT NULL,
    id text NOT NULL,
    contact_id text NOT NULL,
    status text NOT NULL CHECK (status IN ('queued', 'completed', 'failed')),
    requested_by text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    size_bytes bigint,
    error text,
    due_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    completed_at timestamptz(3),
    expires_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, id),
    CHECK ((status = 'queued') = (due_at IS NOT NULL)),
    CHECK ((status = 'completed') = (size_bytes IS NOT NULL)),
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id)
  )`
  yield* sql`CREATE INDEX contact_exports_of_contact ON contact_exports (organization_id, contact_id, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX contact_exports_due ON contact_exports (due_at) WHERE due_at IS NOT NULL`
  yield* sql`CREATE INDEX contact_exports_expiry ON contact_exports (expires_at)`
  yield* isolate("contact_exports")

  // For the worker, which serves every organization: says where there is work, and nothing of what it is.
  yield* sql`CREATE POLICY due ON contact_exports FOR SELECT TO CURRENT_USER
    USING ((SELECT current_setting('app.cross_tenant', true)) = 'due')`
  yield* sql`CREATE FUNCTION due_exports(at timestamptz, most integer)
    RETURNS TABLE (organization_id text, id text, expired boolean)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'due', true);
      RETURN QUERY (SELECT e.organization_id, e.id, true FROM contact_exports e WHERE e.expires_at <= at ORDER BY e.expires_at LIMIT most)
        UNION ALL (SELECT e.organization_id, e.id, false FROM contact_exports e
          WHERE e.due_at <= at AND e.expires_at > at ORDER BY e.due_at LIMIT most);
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`
  yield* sql`REVOKE ALL ON FUNCTION due_exports(timestamptz, integer) FROM PUBLIC`

  yield* overAllTenants(
    ["organizations"],
    sql`UPDATE organizations SET retention = retention || '{"messageDays": null}' WHERE retention IS NOT NULL`
  )
  yield* sql`ALTER TABLE retention_runs ADD COLUMN others jsonb NOT NULL DEFAULT '{}'`
})
