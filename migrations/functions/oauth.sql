-- Assistants that connect over OAuth, before their organization is known.
--
-- Functions with SECURITY DEFINER run as the owner of the tables and see rows of all organizations, while they have set
-- `app.cross_tenant` (`isolate.ts`).

-- Stores a client that registers itself. Anybody may register, so clients that nobody has used yet are kept in bounds: beyond
-- `most` of them the oldest goes.
CREATE OR REPLACE FUNCTION register_oauth_client(new_id text, new_name text, uris text[], secret text, at timestamptz, most integer)
  RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'register', true);
  DELETE FROM oauth_clients WHERE id IN (
    SELECT id FROM oauth_clients WHERE last_used_at IS NULL ORDER BY created_at DESC OFFSET most - 1);
  INSERT INTO oauth_clients (id, name, redirect_uris, secret_hash, created_at) VALUES (new_id, new_name, uris, secret, at);
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION register_oauth_client(text, text, text[], text, timestamptz, integer) FROM PUBLIC;

-- A client that registered itself, by its id.
CREATE OR REPLACE FUNCTION lookup_oauth_client(wanted text)
  RETURNS SETOF oauth_clients
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'lookup', true);
  RETURN QUERY SELECT * FROM oauth_clients WHERE id = wanted;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION lookup_oauth_client(text) FROM PUBLIC;

-- A person allowed this client something: it is in use from now on.
CREATE OR REPLACE FUNCTION use_oauth_client(wanted text, at timestamptz)
  RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'register', true);
  UPDATE oauth_clients SET last_used_at = at WHERE id = wanted;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION use_oauth_client(text, timestamptz) FROM PUBLIC;

-- What a person allowed, by the hash of its code.
CREATE OR REPLACE FUNCTION lookup_oauth_code(wanted text)
  RETURNS SETOF oauth_codes
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'lookup', true);
  RETURN QUERY SELECT * FROM oauth_codes WHERE code_hash = wanted;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION lookup_oauth_code(text) FROM PUBLIC;

-- The key of a token, by the token's hash.
CREATE OR REPLACE FUNCTION lookup_oauth_token(wanted text)
  RETURNS TABLE (organization_id text, key_id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'lookup', true);
  RETURN QUERY SELECT t.organization_id, t.key_id FROM oauth_tokens t WHERE t.token_hash = wanted;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION lookup_oauth_token(text) FROM PUBLIC;

-- Deletes clients that nobody used within a day, or no longer; codes a day after their end, since one that is sent twice ends
-- its key; and tokens that have expired. Gives only how many those were.
CREATE OR REPLACE FUNCTION delete_expired_oauth(at timestamptz, unused_since timestamptz, forgotten_since timestamptz, most integer)
  RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE unused integer; forgotten integer; codes integer; tokens integer;
BEGIN
  PERFORM set_config('app.cross_tenant', 'expire', true);
  DELETE FROM oauth_clients WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM oauth_clients WHERE last_used_at IS NULL AND created_at <= unused_since LIMIT most));
  GET DIAGNOSTICS unused = ROW_COUNT;
  DELETE FROM oauth_clients WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM oauth_clients WHERE last_used_at <= forgotten_since LIMIT most));
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  DELETE FROM oauth_codes WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM oauth_codes WHERE expires_at <= unused_since LIMIT most));
  GET DIAGNOSTICS codes = ROW_COUNT;
  DELETE FROM oauth_tokens WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM oauth_tokens WHERE expires_at <= at LIMIT most));
  GET DIAGNOSTICS tokens = ROW_COUNT;
  PERFORM set_config('app.cross_tenant', '', true);
  RETURN unused + forgotten + codes + tokens;
END
$$;
REVOKE ALL ON FUNCTION delete_expired_oauth(timestamptz, timestamptz, timestamptz, integer) FROM PUBLIC;
