/** Assistants that people connect over OAuth: the clients that registered themselves, what people allowed, and the tokens of the keys that came of it. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A client registers before it knows an organization, and serves people of several ones. So its row is of no organization, and only functions see it.
  yield* sql`CREATE TABLE oauth_clients (
    id text PRIMARY KEY,
    name text NOT NULL,
    redirect_uris text[] NOT NULL,
    secret_hash text,
    created_at timestamptz(3) NOT NULL,
    last_used_at timestamptz(3)
  )`
  yield* sql`CREATE INDEX oauth_clients_unused ON oauth_clients (created_at) WHERE last_used_at IS NULL`
  yield* sql`CREATE INDEX oauth_clients_used ON oauth_clients (last_used_at) WHERE last_used_at IS NOT NULL`
  yield* sql`ALTER TABLE oauth_clients ENABLE ROW LEVEL SECURITY`
  yield* sql`ALTER TABLE oauth_clients FORCE ROW LEVEL SECURITY`
  yield* openAcross("oauth_clients", "lookup")
  for (const command of ["SELECT", "INSERT", "UPDATE", "DELETE"] as const)
    yield* openAcross("oauth_clients", "register", command, `register_${command.toLowerCase()}`)
  yield* openAcross("oauth_clients", "expire", "SELECT", "expire_select")
  yield* openAcross("oauth_clients", "expire", "DELETE", "expire_delete")

  // The key of a connected assistant: its own secret is known to nobody, and each of its access tokens is one.
  yield* sql`ALTER TABLE api_keys ADD COLUMN client_id text`

  // What a person allowed a client. The code is its proof, once; `key_id` says that it was used.
  yield* sql`CREATE TABLE oauth_codes (
    organization_id text NOT NULL,
    code_hash text NOT NULL CONSTRAINT oauth_codes_code UNIQUE,
    user_id text NOT NULL,
    client_id text NOT NULL,
    client_name text NOT NULL,
    scopes text[] NOT NULL,
    redirect_uri text NOT NULL,
    challenge text NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    key_id text,
    PRIMARY KEY (organization_id, code_hash),
    FOREIGN KEY (organization_id, user_id) REFERENCES users (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX oauth_codes_of_user ON oauth_codes (organization_id, user_id)`
  yield* sql`CREATE INDEX oauth_codes_expiry ON oauth_codes (expires_at)`
  yield* isolate("oauth_codes")

  // A refresh token that was used stays until it would have expired: whoever sends it again is not who got it.
  yield* sql`CREATE TABLE oauth_tokens (
    organization_id text NOT NULL,
    token_hash text NOT NULL CONSTRAINT oauth_tokens_token UNIQUE,
    key_id text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('access', 'refresh')),
    expires_at timestamptz(3) NOT NULL,
    used_at timestamptz(3),
    PRIMARY KEY (organization_id, token_hash),
    FOREIGN KEY (organization_id, key_id) REFERENCES api_keys (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX oauth_tokens_of_key ON oauth_tokens (organization_id, key_id)`
  yield* sql`CREATE INDEX oauth_tokens_expiry ON oauth_tokens (expires_at)`
  yield* isolate("oauth_tokens")

  for (const table of ["oauth_codes", "oauth_tokens"]) {
    // A code or a refresh token finds its organization, and what has expired is removed for all of them.
    yield* openAcross(table, "lookup")
    yield* openAcross(table, "expire", "SELECT", "expire_select")
    yield* openAcross(table, "expire", "DELETE", "expire_delete")
  }
})
