-- Finding people, sessions and keys before their organization is known.
--
-- Functions with SECURITY DEFINER run as the owner of the tables and see rows of all organizations, while they have set
-- `app.cross_tenant` (`isolate.ts`).

-- The people with an address, one of each organization at most.
CREATE OR REPLACE FUNCTION lookup_user(wanted text)
  RETURNS SETOF users
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'lookup', true);
  RETURN QUERY SELECT * FROM users WHERE lower_email = lower(wanted) ORDER BY created_at, id;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION lookup_user(text) FROM PUBLIC;

-- A session by the hash of its cookie. A session of somebody who left is none, even one that began while they were
-- leaving.
CREATE OR REPLACE FUNCTION lookup_session(wanted text)
  RETURNS TABLE (organization_id text, id text, user_id text, email text, name text, role text, last_seen_at timestamptz,
    expires_at timestamptz)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'lookup', true);
  RETURN QUERY SELECT s.organization_id, s.id, s.user_id, u.email, u.name, u.role, s.last_seen_at, s.expires_at
    FROM sessions s JOIN users u ON u.organization_id = s.organization_id AND u.id = s.user_id
    WHERE s.token_hash = wanted AND u.deactivated_at IS NULL;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION lookup_session(text) FROM PUBLIC;

-- An invited person by the hash of the token.
CREATE OR REPLACE FUNCTION lookup_invitation(wanted text)
  RETURNS SETOF users
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'lookup', true);
  RETURN QUERY SELECT * FROM users WHERE invitation_hash = wanted AND deactivated_at IS NULL;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION lookup_invitation(text) FROM PUBLIC;

-- An API key by its prefix, with its maker's role. Keys made by the operator have no maker.
DROP FUNCTION IF EXISTS lookup_api_key(text);
CREATE OR REPLACE FUNCTION lookup_api_key(wanted text)
  RETURNS TABLE (organization_id text, id text, secret_hash bytea, scopes text[], expires_at timestamptz,
    revoked_at timestamptz, last_used_at timestamptz, maker_id text, maker_role text, maker_deactivated_at timestamptz,
    client_id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'lookup', true);
  RETURN QUERY SELECT k.organization_id, k.id, k.secret_hash, k.scopes, k.expires_at, k.revoked_at, k.last_used_at,
      k.maker_id, u.role, u.deactivated_at::timestamptz, k.client_id
    FROM api_keys k LEFT JOIN users u ON u.organization_id = k.organization_id AND u.id = k.maker_id
    WHERE k.prefix = wanted;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION lookup_api_key(text) FROM PUBLIC;

-- Whoever remembers an API key is told when it changes; its use is no change. Changes are rare, so the lock that NOTIFY
-- puts commits behind is taken rarely too.
CREATE OR REPLACE FUNCTION tell_of_api_key()
  RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('parley_api_keys', '');
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER api_keys_changed AFTER DELETE OR UPDATE OF revoked_at, expires_at, scopes, secret_hash ON api_keys
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_api_key();

-- Deletes expired answers of repeated requests and expired sessions of every organization. Gives only how many those
-- were.
CREATE OR REPLACE FUNCTION delete_expired(at timestamptz, idle_since timestamptz, most integer)
  RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE keys integer; ended integer;
BEGIN
  PERFORM set_config('app.cross_tenant', 'expire', true);
  DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM idempotency_keys WHERE expires_at <= at LIMIT most));
  GET DIAGNOSTICS keys = ROW_COUNT;
  DELETE FROM sessions WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM sessions WHERE expires_at <= at OR last_seen_at <= idle_since LIMIT most));
  GET DIAGNOSTICS ended = ROW_COUNT;
  PERFORM set_config('app.cross_tenant', '', true);
  RETURN keys + ended;
END
$$;
REVOKE ALL ON FUNCTION delete_expired(timestamptz, timestamptz, integer) FROM PUBLIC;
