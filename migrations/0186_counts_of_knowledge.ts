/** How many passages have a word, and how many words a piece: a search asks that before it reads which ones. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE knowledge_words ADD COLUMN passages integer GENERATED ALWAYS AS (cardinality(numbers)) STORED`
  yield* sql`ALTER TABLE knowledge_pieces ADD COLUMN forms integer GENERATED ALWAYS AS (cardinality(words)) STORED`
})
