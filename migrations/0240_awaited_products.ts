/** Lines of stores' orders whose product has not come yet. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `line`: its place in the order, from 0. It is given the product when that comes, unless a person has put another line there, by its name.
  yield* sql`CREATE TABLE awaited_products (
    organization_id text NOT NULL,
    source text NOT NULL,
    external_id text NOT NULL,
    order_id text NOT NULL,
    line integer NOT NULL,
    name text NOT NULL,
    PRIMARY KEY (organization_id, order_id, line),
    FOREIGN KEY (organization_id, order_id) REFERENCES orders (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX awaited_products_of_source ON awaited_products (organization_id, source, external_id)`
  yield* isolate("awaited_products")
})
