/** The messaging channel: an organization's connection, what the channel told us, and which of our files lie there. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A number of the channel belongs to one organization; of a business account several may be.
  yield* sql`CREATE TABLE channel_connections (
    organization_id text PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    phone_number_id text NOT NULL CONSTRAINT channel_connections_number UNIQUE,
    business_account_id text NOT NULL,
    access_token text NOT NULL,
    app_secret text NOT NULL,
    verify_token text NOT NULL,
    verify_token_hash text NOT NULL,
    phone_number text,
    business_name text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT channel_connections_id UNIQUE (organization_id, id)
  )`
  yield* sql`CREATE INDEX channel_connections_account ON channel_connections (business_account_id)`
  yield* sql`CREATE INDEX channel_connections_verify ON channel_connections (verify_token_hash)`
  yield* isolate("channel_connections")

  // What the channel told us, one thing a row, from when it was verified until it is forgotten. `line`: what is kept in order; the next of a
  // line waits until the one before is settled. `once`: what tells a second report of the same thing. `due_at` is moved on by a claim, and
  // so is a lease; `attempts` counts claims.
  yield* sql`CREATE TABLE channel_inbox (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    position bigint GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL,
    line text NOT NULL,
    once text NOT NULL,
    payload jsonb NOT NULL,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'failed')),
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz(3) NOT NULL,
    received_at timestamptz(3) NOT NULL,
    settled_at timestamptz(3),
    last_error text,
    PRIMARY KEY (organization_id, id),
    CONSTRAINT channel_inbox_once UNIQUE (organization_id, once)
  )`
  yield* sql`CREATE INDEX channel_inbox_due ON channel_inbox (due_at) WHERE state = 'waiting'`
  yield* sql`CREATE INDEX channel_inbox_lines ON channel_inbox (organization_id, line, position) WHERE state = 'waiting'`
  yield* sql`CREATE INDEX channel_inbox_failed ON channel_inbox (organization_id, position) WHERE state = 'failed'`
  yield* sql`CREATE INDEX channel_inbox_settled ON channel_inbox (settled_at) WHERE state <> 'waiting'`
  yield* isolate("channel_inbox")

  // The channel's ids of our files, good until `expires_at`.
  yield* sql`CREATE TABLE channel_media (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    media_id text NOT NULL,
    phone_number_id text NOT NULL,
    channel_media_id text NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, media_id, phone_number_id)
  )`
  yield* isolate("channel_media")

  for (const table of ["channel_connections", "channel_inbox"])
    yield* sql.unsafe(`CREATE POLICY lookup ON ${table} FOR SELECT TO CURRENT_USER
      USING ((SELECT current_setting('app.cross_tenant', true)) = 'lookup')`)
  yield* sql`CREATE POLICY expire ON channel_inbox FOR DELETE TO CURRENT_USER
    USING ((SELECT current_setting('app.cross_tenant', true)) = 'expire')`
  yield* sql`CREATE POLICY expire_select ON channel_inbox FOR SELECT TO CURRENT_USER
    USING ((SELECT current_setting('app.cross_tenant', true)) = 'expire')`

  // Whom a webhook may be meant for: it names only the channel's ids.
  yield* sql`CREATE FUNCTION lookup_channel_connections(numbers text[], accounts text[]) RETURNS SETOF channel_connections
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'lookup', true);
      RETURN QUERY SELECT * FROM channel_connections c
        WHERE c.phone_number_id = ANY (numbers) OR c.business_account_id = ANY (accounts);
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`
  yield* sql`REVOKE ALL ON FUNCTION lookup_channel_connections(text[], text[]) FROM PUBLIC`

  yield* sql`CREATE FUNCTION knows_verify_token(hash text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DECLARE found_one boolean;
    BEGIN
      PERFORM set_config('app.cross_tenant', 'lookup', true);
      SELECT EXISTS (SELECT 1 FROM channel_connections c WHERE c.verify_token_hash = hash) INTO found_one;
      PERFORM set_config('app.cross_tenant', '', true);
      RETURN found_one;
    END $$`
  yield* sql`REVOKE ALL ON FUNCTION knows_verify_token(text) FROM PUBLIC`

  // For the worker, which serves every organization: says where there is work, and nothing of what it is. The first of each line only.
  yield* sql`CREATE FUNCTION due_in_channel_inbox(at timestamptz, most integer)
    RETURNS TABLE (organization_id text, id text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'lookup', true);
      RETURN QUERY SELECT i.organization_id, i.id FROM channel_inbox i
        WHERE i.state = 'waiting' AND i.due_at <= at AND NOT EXISTS (
          SELECT 1 FROM channel_inbox e WHERE e.organization_id = i.organization_id AND e.line = i.line
            AND e.state = 'waiting' AND e.position < i.position)
        ORDER BY i.due_at LIMIT most;
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`
  yield* sql`REVOKE ALL ON FUNCTION due_in_channel_inbox(timestamptz, integer) FROM PUBLIC`

  yield* sql`CREATE FUNCTION count_channel_inbox() RETURNS TABLE (waiting bigint, failed bigint)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'lookup', true);
      RETURN QUERY SELECT (SELECT count(*) FROM channel_inbox i WHERE i.state = 'waiting'),
        (SELECT count(*) FROM channel_inbox i WHERE i.state = 'failed');
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`
  yield* sql`REVOKE ALL ON FUNCTION count_channel_inbox() FROM PUBLIC`

  yield* sql`CREATE FUNCTION expire_channel_inbox(done_before timestamptz, failed_before timestamptz, most integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DECLARE gone integer;
    BEGIN
      PERFORM set_config('app.cross_tenant', 'expire', true);
      DELETE FROM channel_inbox WHERE ctid = ANY (ARRAY(SELECT ctid FROM channel_inbox
        WHERE (state = 'done' AND settled_at < done_before) OR (state = 'failed' AND settled_at < failed_before) LIMIT most));
      GET DIAGNOSTICS gone = ROW_COUNT;
      PERFORM set_config('app.cross_tenant', '', true);
      RETURN gone;
    END $$`
  yield* sql`REVOKE ALL ON FUNCTION expire_channel_inbox(timestamptz, timestamptz, integer) FROM PUBLIC`
})
