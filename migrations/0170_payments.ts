/** Payment links with what became of them, how organizations ask for payments, and what a running call is told. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `external_id`, `url` and `live` are null until the provider has made the link. Amounts are in the smallest unit of the currency. `ask_at`: when the
  // provider is asked what it knows.
  yield* sql`CREATE TABLE payment_links (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    provider text NOT NULL,
    external_id text,
    url text,
    live boolean,
    status text NOT NULL,
    amount bigint NOT NULL CHECK (amount > 0),
    currency text NOT NULL,
    description text NOT NULL,
    contact_id text,
    order_id text,
    conversation_id text,
    call_id text,
    created_by text NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    paid_amount bigint,
    paid_at timestamptz(3),
    failure text,
    failed_at timestamptz(3),
    expired_at timestamptz(3),
    canceled_at timestamptz(3),
    refunded bigint NOT NULL DEFAULT 0,
    dispute text CHECK (dispute IN ('open', 'won', 'lost')),
    ask_at timestamptz(3),
    asks integer NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, id),
    CONSTRAINT payment_links_made CHECK ((url IS NULL) = (external_id IS NULL) AND (url IS NULL) = (live IS NULL)),
    CONSTRAINT payment_links_paid CHECK ((paid_amount IS NULL) = (paid_at IS NULL)),
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id),
    FOREIGN KEY (organization_id, order_id) REFERENCES orders (organization_id, id)
  )`
  yield* sql`CREATE INDEX payment_links_newest ON payment_links (organization_id, created_at DESC, id DESC) WHERE url IS NOT NULL`
  for (const [name, column] of [
    ["contact", "contact_id"],
    ["order", "order_id"],
    ["conversation", "conversation_id"],
    ["call", "call_id"]
  ])
    yield* sql`CREATE INDEX ${sql(`payment_links_of_${name}`)} ON payment_links (organization_id, ${sql(column)}, created_at DESC, id DESC)
      WHERE ${sql(column)} IS NOT NULL`
  yield* sql`CREATE INDEX payment_links_due ON payment_links (organization_id, ask_at) WHERE ask_at IS NOT NULL`
  // A page is opened by the id alone, which cannot be guessed.
  yield* sql`CREATE UNIQUE INDEX payment_links_by_id ON payment_links (id)`
  yield* isolate("payment_links")
  // For the worker of all organizations, and for the page of a link.
  yield* openAcross("payment_links", "directory")

  yield* sql`CREATE TABLE payment_settings (
    organization_id text PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
    settings jsonb NOT NULL
  )`
  yield* isolate("payment_settings")

  // What happens outside of a call that its agent waits for. `position` is the order.
  yield* sql`CREATE TABLE call_notices (
    organization_id text NOT NULL,
    call_id text NOT NULL,
    position bigint GENERATED ALWAYS AS IDENTITY,
    text text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, call_id, position),
    FOREIGN KEY (organization_id, call_id) REFERENCES calls (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX call_notices_by_age ON call_notices (organization_id, created_at)`
  yield* isolate("call_notices")
})
