/** The modules: companies, products, orders and suppliers, with the organizations' own fields. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE TABLE custom_fields (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    module text NOT NULL,
    fields jsonb NOT NULL,
    PRIMARY KEY (organization_id, module)
  )`
  yield* isolate("custom_fields")

  // What the records of all modules have. `unique_key`: a name or number that no other record of the module has; null where there is none.
  const record = (columns: string) =>
    sql.literal(`
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    unique_key text,
    ${columns},
    custom_fields jsonb NOT NULL DEFAULT '{}',
    archived_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, unique_key)`)
  const partner = "name text NOT NULL, phone text, email text, address text, notes text"
  yield* sql`CREATE TABLE companies (${record(`${partner}, domain text`)})`
  yield* sql`CREATE TABLE suppliers (${record(partner)})`
  yield* sql`CREATE TABLE products (${record(`name text NOT NULL, sku text, description text, price_amount bigint, price_currency text, stock integer`)})`
  yield* sql`CREATE TABLE orders (${record(`number text NOT NULL, status text NOT NULL, contact_id text, company_id text, conversation_id text,
    currency text NOT NULL, lines jsonb NOT NULL, discount bigint NOT NULL, shipping bigint NOT NULL, subtotal bigint NOT NULL, tax bigint NOT NULL,
    total bigint NOT NULL, notes text, placed_at timestamptz(3) NOT NULL, paid_at timestamptz(3)`)},
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id),
    FOREIGN KEY (organization_id, company_id) REFERENCES companies (organization_id, id)
  )`
  yield* sql`CREATE INDEX orders_of_contact ON orders (organization_id, contact_id, created_at DESC, id DESC) WHERE contact_id IS NOT NULL`
  yield* sql`CREATE INDEX orders_of_company ON orders (organization_id, company_id, created_at DESC, id DESC) WHERE company_id IS NOT NULL`
  yield* sql`CREATE INDEX orders_with_status ON orders (organization_id, status, created_at DESC, id DESC) WHERE archived_at IS NULL`
  for (const table of ["companies", "products", "orders", "suppliers"]) {
    for (const time of ["created_at", "updated_at"])
      yield* sql`CREATE INDEX ${sql(`${table}_by_${time}`)} ON ${sql(table)} (organization_id, ${sql(time)} DESC, id DESC) WHERE archived_at IS NULL`
    yield* isolate(table)
  }

  yield* sql`CREATE TABLE company_contacts (
    organization_id text NOT NULL,
    company_id text NOT NULL,
    contact_id text NOT NULL,
    PRIMARY KEY (organization_id, company_id, contact_id),
    FOREIGN KEY (organization_id, company_id) REFERENCES companies (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX company_contacts_of_contact ON company_contacts (organization_id, contact_id)`
  yield* isolate("company_contacts")

  yield* sql`CREATE TABLE product_suppliers (
    organization_id text NOT NULL,
    product_id text NOT NULL,
    supplier_id text NOT NULL,
    PRIMARY KEY (organization_id, product_id, supplier_id),
    FOREIGN KEY (organization_id, product_id) REFERENCES products (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, supplier_id) REFERENCES suppliers (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX product_suppliers_of_supplier ON product_suppliers (organization_id, supplier_id)`
  yield* isolate("product_suppliers")

  // The words of each record, for searches by their beginnings. Row-level security lets only leakproof operators use an index; comparisons of text
  // are such, LIKE is none.
  yield* sql`CREATE TABLE module_words (
    organization_id text NOT NULL,
    module text NOT NULL,
    word text COLLATE "C" NOT NULL,
    record_id text NOT NULL,
    PRIMARY KEY (organization_id, module, word, record_id)
  )`
  yield* sql`CREATE INDEX module_words_of_record ON module_words (organization_id, module, record_id)`
  yield* isolate("module_words")
})
