/** Files of messages. Their content is in the object storage, under the record's id. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE media (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'stored', 'removing')),
    kind text NOT NULL CHECK (kind IN ('image', 'document', 'audio', 'video')),
    mime_type text NOT NULL,
    size_bytes integer NOT NULL CHECK (size_bytes > 0),
    sha256 text NOT NULL CHECK (length(sha256) = 64),
    filename text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    state_since timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, id)
  )`
  // One record of a content, but for those that are on their way out.
  yield* sql`CREATE UNIQUE INDEX media_content ON media (organization_id, sha256) WHERE state <> 'removing'`
  yield* sql`CREATE INDEX media_unsettled ON media (state_since) WHERE state <> 'stored'`
  yield* sql`CREATE INDEX media_by_age ON media (organization_id, created_at)`
  yield* isolate("media")

  // Which messages refer to a file: asked before it is removed. A column, because row-level security lets no index look into JSON.
  yield* sql`ALTER TABLE messages ADD COLUMN media_id text GENERATED ALWAYS AS (content ->> 'mediaId') STORED`
  yield* sql`CREATE INDEX messages_of_media ON messages (organization_id, media_id) WHERE media_id IS NOT NULL`

  // For the sweep, which serves every organization: says where something was left, and nothing of what it is.
  yield* sql`CREATE POLICY lookup ON media FOR SELECT TO CURRENT_USER
    USING ((SELECT current_setting('app.cross_tenant', true)) = 'lookup')`
  yield* sql`CREATE FUNCTION unsettled_media(before timestamptz, most integer)
    RETURNS TABLE (organization_id text, media_id text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'lookup', true);
      RETURN QUERY SELECT m.organization_id, m.id FROM media m
        WHERE m.state <> 'stored' AND m.state_since <= before ORDER BY m.state_since LIMIT most;
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`
  yield* sql`REVOKE ALL ON FUNCTION unsettled_media(timestamptz, integer) FROM PUBLIC`
})
