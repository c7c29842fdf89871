/**
 * The products of the lines of a store's order: those of the same store with the id that the store gives them. An order may come before its products; its
 * lines are given them when they come.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { LineRecord } from "../../../domain/apps/AppRecord.ts"
import { recordLock } from "../business/ModuleRecords.ts"

interface Store {
  readonly organizationId: string
  readonly source: string
}

/** Runs as the tenant, in the transaction of the record. */
export const makeOrderProducts = (sql: PgClient.PgClient) => {
  const known = Effect.fnUntraced(function* ({ organizationId, source }: Store, wanted: ReadonlyArray<string>) {
    if (wanted.length === 0) return new Map<string, string>()
    const rows = yield* sql<{ externalId: string; id: string }>`SELECT external_id, id FROM products
      WHERE organization_id = ${organizationId} AND source = ${source} AND external_id = ANY(${wanted}::text[])`
    return new Map(rows.map(({ externalId, id }) => [externalId, id]))
  })

  /**
   * The ids of the products of these lines, by the store's ids. Of a product that is not there yet it waits for whoever stores it just now, and keeps others
   * from storing it until the order says that it waits for it. So it comes before the order and its contact are locked.
   */
  const productsOf = Effect.fnUntraced(function* (store: Store, lines: ReadonlyArray<LineRecord>) {
    const wanted = [...new Set(lines.flatMap(({ productExternalId: id }) => (id === null ? [] : [id])))].sort()
    const found = yield* known(store, wanted)
    const missing = wanted.filter((id) => !found.has(id))
    if (missing.length === 0) return found
    for (const id of missing)
      yield* sql`SELECT pg_advisory_xact_lock_shared(${recordLock(sql, "products", store.organizationId, `${store.source} ${id}`)})`
    return new Map([...found, ...(yield* known(store, missing))])
  })

  /** Notes which lines of a stored order wait for their product. */
  const note = Effect.fnUntraced(function* (
    { organizationId, source }: Store,
    orderId: string,
    lines: ReadonlyArray<{ readonly name: string; readonly productExternalId: string | null }>,
    found: ReadonlyMap<string, string>
  ) {
    const waiting = lines.flatMap(({ name, productExternalId: id }, line) =>
      id === null || found.has(id) ? [] : [{ line, id, name }]
    )
    yield* sql`DELETE FROM awaited_products WHERE organization_id = ${organizationId} AND order_id = ${orderId}`
    if (waiting.length === 0) return
    yield* sql`INSERT INTO awaited_products (organization_id, source, external_id, order_id, line, name)
      SELECT ${organizationId}, ${source}, w.external_id, ${orderId}, w.line, w.name
      FROM unnest(${waiting.map(({ id }) => id)}::text[], ${waiting.map(({ line }) => line)}::integer[],
        ${waiting.map(({ name }) => name)}::text[]) AS w (external_id, line, name)`
  })

  /** Gives a product that has come to the lines that wait for it. */
  const arrived = Effect.fnUntraced(function* (
    { organizationId, source }: Store,
    externalId: string,
    productId: string
  ) {
    const mine = sql`a.organization_id = ${organizationId} AND a.source = ${source} AND a.external_id = ${externalId}`
    const held = yield* sql<{ id: string }>`SELECT o.id FROM orders o WHERE o.organization_id = ${organizationId}
      AND o.id IN (SELECT a.order_id FROM awaited_products a WHERE ${mine}) ORDER BY o.id FOR NO KEY UPDATE`
    if (held.length === 0) return
    yield* sql`UPDATE orders o SET lines = (
        SELECT jsonb_agg(CASE WHEN a.line IS NULL THEN l.value ELSE l.value || jsonb_build_object('productId', ${productId}::text) END ORDER BY l.ordinality)
        FROM jsonb_array_elements(o.lines) WITH ORDINALITY l LEFT JOIN awaited_products a ON ${mine} AND a.order_id = o.id
          AND a.line = l.ordinality - 1 AND a.name = l.value->>'name' AND l.value->>'productId' IS NULL)
      WHERE o.organization_id = ${organizationId} AND o.id = ANY(${held.map(({ id }) => id)}::text[]) AND jsonb_array_length(o.lines) > 0`
    yield* sql`DELETE FROM awaited_products a WHERE ${mine}`
  })

  return { productsOf, note, arrived }
}
