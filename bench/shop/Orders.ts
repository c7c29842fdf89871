/** Fills an organization with orders without running the triggers: it writes the triggers' results directly. */
import type { Client } from "pg"

const titles =
  "Atlas Guide Story History Garden Letters Songs Maps Voices Secrets Bridges Winters Kitchens Gardens Nights"
const subjects =
  "Rivers Mountains Stars Birds Trains Islands Forests Cities Lakes Horses Clouds Ships Roads Stones Bees Whales Deserts Harbours Villages Markets"

export const statuses = ["pending", "paid", "fulfilled", "canceled", "refunded"] as const

const id = (prefix: string, number: string) => `'${prefix}_' || lpad(to_hex(${number}), 26, '0')`
/** The contact of the nth order: ten orders each. */
const buyerOf = (n: string) => `1 + (${n} * 7919::bigint) % greatest($4::int, 1)`

const numberText = (prefix: string, n: number) => `${prefix}_${n.toString(16).padStart(26, "0")}`
export const contactId = (n: number): string => numberText("cnt", n)
export const conversationId = (n: number): string => numberText("cnv", n)
export const contactsOf = (orders: number): number => Math.max(1, Math.floor(orders / 10))

const batch = 100_000

/** `from` and `to` are the first two parameters of each statement, the organization the third, the number of contacts the fourth. */
const statements = {
  contacts: `INSERT INTO contacts (organization_id, id, phone, name, searchable_name, created_at, updated_at)
    SELECT $3, ${id("cnt", "n")}, '+1' || (2000000000 + n * 4999::bigint), 'Guest ' || n, 'guest ' || n, now(), now()
    FROM generate_series($1::int, $2::int) n WHERE n <= $4::int`,
  orders: `INSERT INTO orders (organization_id, id, unique_key, number, status, contact_id, conversation_id, currency, lines, discount, shipping, subtotal,
      tax, total, words, placed_at, paid_at, archived_at, created_at, updated_at)
    SELECT $3, ${id("ord", "n")}, n::text, n::text, status, ${id("cnt", buyerOf("n"))}, CASE WHEN n % 10 = 0 THEN ${id("cnv", buyerOf("n"))} END,
      'USD', jsonb_build_array(jsonb_build_object('productId', NULL, 'sku', 'BK-' || product, 'name', title || ' of ' || subject, 'quantity', 1 + n % 3,
        'unitPrice', cents, 'tax', 0)), 0, 500, cents * (1 + n % 3), 0, cents * (1 + n % 3) + 500,
      ' ' || n || ' bk ' || product || ' ' || lower(title || ' of ' || subject), at, CASE WHEN status <> 'pending' THEN at END,
      CASE WHEN n % 50 = 0 THEN at END, at, at + (n * 104729::bigint % 1000000) * interval '1 second'
    FROM (SELECT n, timestamptz '2025-01-01' + n * interval '30 seconds' AS at, 500 + (n * 31 % 9500)::int AS cents,
        CASE WHEN n % 20 = 0 THEN 'pending' WHEN n % 20 < 6 THEN 'paid' WHEN n % 20 < 18 THEN 'fulfilled' WHEN n % 20 < 19 THEN 'canceled' ELSE 'refunded' END AS status,
        (n * 7919::bigint % 2000)::int AS product,
        (string_to_array('${titles}', ' '))[1 + (n * 7919::bigint % 2000)::int % 15] AS title,
        (string_to_array('${subjects}', ' '))[1 + (n * 7919::bigint % 2000)::int / 15 % 20] AS subject
      FROM generate_series($1::int, $2::int) n) made`,
  words: `INSERT INTO module_words (organization_id, module, word, record_id, created_at, archived)
    SELECT DISTINCT $3, 'orders', word, id, created_at, archived_at IS NOT NULL FROM orders, LATERAL (
      SELECT lower(unnest(string_to_array(number || ' ' || replace(lines->0->>'sku', '-', ' ') || ' ' || (lines->0->>'name'), ' '))) AS word) w
    WHERE organization_id = $3 AND id BETWEEN ${id("ord", "$1::int")} AND ${id("ord", "$2::int")}`
}

const counts = `INSERT INTO list_counts (organization_id, list, shard, total)
  SELECT $1, CASE WHEN archived_at IS NULL THEN 'orders' ELSE 'orders.archived' END, 0, count(*) FROM orders WHERE organization_id = $1 GROUP BY 2`

/** `client` is a superuser's. Says how far it is. */
export const fillOrders = async (
  client: Client,
  { organizationId, orders }: { readonly organizationId: string; readonly orders: number },
  say: (text: string) => void
): Promise<void> => {
  await client.query("SET session_replication_role = replica")
  for (const [name, statement] of Object.entries(statements))
    for (let from = 1; from <= orders; from += batch) {
      say(`loading ${name}: ${Math.floor((from / orders) * 100)} %`)
      const parameters = [from, Math.min(from + batch - 1, orders), organizationId]
      await client.query(statement, name === "words" ? parameters : [...parameters, contactsOf(orders)])
    }
  await client.query(counts, [organizationId])
  for (const table of ["contacts", "orders", "module_words", "list_counts"]) {
    say(`vacuuming ${table}`)
    await client.query(`VACUUM (ANALYZE) ${table}`)
  }
  await client.query("SET session_replication_role = origin")
}
