/** Sources of the type `notion`, and why a source has no vectors. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE knowledge_sources DROP CONSTRAINT knowledge_sources_type_check,
    ADD CONSTRAINT knowledge_sources_type_check CHECK (type IN ('file', 'pages', 'notion', 'answers'))`
  yield* sql`ALTER TABLE knowledge_sources ADD COLUMN vectors_problem text`
})
