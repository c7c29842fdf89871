/** Vectors of passages. A vector belongs to a text, so that it stays when a sync finds the same text again. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Nothing was ever stored in this column.
  yield* sql`ALTER TABLE knowledge_passages DROP COLUMN vector`
  // Of title, headings and text, which a vector is made of.
  yield* sql`ALTER TABLE knowledge_passages ADD COLUMN hash bytea`
  yield* sql`ALTER TABLE knowledge_passages NO FORCE ROW LEVEL SECURITY`
  yield* sql`UPDATE knowledge_passages
    SET hash = sha256(convert_to(concat_ws(E'\n', title, array_to_string(headings, E'\n'), text), 'UTF8'))`
  yield* sql`ALTER TABLE knowledge_passages FORCE ROW LEVEL SECURITY`

  // `vectors_model`: all passages have vectors of this model. `vectors_due_at`: when a worker is to go on, or when the claim of one that died ends.
  yield* sql`ALTER TABLE knowledge_sources ADD COLUMN vectors_model text COLLATE "C", ADD COLUMN vectors_at timestamptz(3),
    ADD COLUMN vectors_due_at timestamptz(3), ADD COLUMN vectors_attempts integer NOT NULL DEFAULT 0`
  yield* sql`CREATE INDEX knowledge_sources_vectors ON knowledge_sources (vectors_model, vectors_due_at) WHERE passages > 0`

  // Float32, little-endian; empty for a text that the model refused.
  yield* sql`CREATE TABLE knowledge_vectors (
    organization_id text NOT NULL,
    source_id text NOT NULL,
    hash bytea NOT NULL,
    model text NOT NULL,
    vector bytea NOT NULL,
    PRIMARY KEY (organization_id, source_id, hash),
    FOREIGN KEY (organization_id, source_id) REFERENCES knowledge_sources (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`ALTER TABLE knowledge_vectors ALTER COLUMN vector SET STORAGE EXTERNAL`
  yield* isolate("knowledge_vectors")
})
