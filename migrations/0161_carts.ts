/** Carts of stores, and whom a store's order is of as the store calls them. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The store's id of the customer: orders that came before their customer get its contact when it comes.
  yield* sql`ALTER TABLE orders ADD COLUMN buyer_external_id text`
  yield* sql`CREATE INDEX orders_of_buyer ON orders (organization_id, source, buyer_external_id)
    WHERE buyer_external_id IS NOT NULL AND contact_id IS NULL`

  // A cart that is known by its order only has no `version`. `due_at`: when it counts as abandoned, unless it becomes an order before.
  yield* sql`CREATE TABLE carts (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    source text NOT NULL,
    external_id text NOT NULL,
    version text COLLATE "C",
    contact_id text,
    buyer_external_id text,
    currency text,
    lines jsonb NOT NULL DEFAULT '[]',
    total bigint NOT NULL DEFAULT 0,
    recovery_url text,
    started_at timestamptz(3),
    changed_at timestamptz(3),
    completed_at timestamptz(3),
    order_id text,
    order_total bigint,
    order_currency text,
    ordered_at timestamptz(3),
    due_at timestamptz(3),
    abandoned_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, source, external_id),
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id),
    FOREIGN KEY (organization_id, order_id) REFERENCES orders (organization_id, id)
  )`
  yield* sql`CREATE INDEX carts_due ON carts (due_at) WHERE due_at IS NOT NULL`
  yield* sql`CREATE INDEX carts_newest ON carts (organization_id, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX carts_of_contact ON carts (organization_id, contact_id) WHERE contact_id IS NOT NULL`
  yield* sql`CREATE INDEX carts_abandoned ON carts (organization_id, abandoned_at) WHERE abandoned_at IS NOT NULL`
  yield* isolate("carts")
  yield* openAcross("carts", "due")
})
