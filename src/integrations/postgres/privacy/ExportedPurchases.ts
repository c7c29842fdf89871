/** What a contact has ordered, left and paid, for its export. Use it as the tenant. Amounts are in the smallest unit of their currency. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { ExportedPurchases } from "../../../domain/privacy/ContactExport.ts"

export const purchasesOf = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  contactId: string
) {
  const orders = yield* sql<{ record: unknown }>`SELECT jsonb_build_object('id', id, 'number', number, 'status', status,
      'currency', currency, 'lines', lines, 'subtotal', subtotal, 'tax', tax, 'total', total, 'notes', notes, 'placedAt', placed_at,
      'paidAt', paid_at, 'source', source) AS record
    FROM orders WHERE organization_id = ${organizationId} AND contact_id = ${contactId} ORDER BY created_at, id`
  const carts = yield* sql<{
    record: unknown
  }>`SELECT jsonb_build_object('id', id, 'source', source, 'currency', currency,
      'lines', lines, 'total', total, 'recoveryUrl', recovery_url, 'startedAt', started_at, 'changedAt', changed_at,
      'abandonedAt', abandoned_at, 'remindedAt', reminded_at, 'orderId', order_id) AS record
    FROM carts WHERE organization_id = ${organizationId} AND contact_id = ${contactId} ORDER BY created_at, id`
  const payments = yield* sql<{
    record: unknown
  }>`SELECT jsonb_build_object('id', id, 'provider', provider, 'status', status,
      'amount', amount, 'currency', currency, 'description', description, 'url', url, 'orderId', order_id, 'paidAmount', paid_amount,
      'paidAt', paid_at, 'refunded', refunded, 'dispute', dispute, 'createdAt', created_at) AS record
    FROM payment_links WHERE organization_id = ${organizationId} AND contact_id = ${contactId} ORDER BY created_at, id`
  const all = (rows: ReadonlyArray<{ readonly record: unknown }>) => rows.map(({ record }) => record)
  return { orders: all(orders), carts: all(carts), payments: all(payments) } satisfies ExportedPurchases
})
