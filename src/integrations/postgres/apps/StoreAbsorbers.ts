/**
 * Takes the records of stores over: customers become contacts, products and orders fill the modules, checkouts become carts. Each state of a record
 * counts by its time at the store, so states that come late, twice or in another order end in the same.
 */
import { Effect } from "effect"
import type { AppAbsorbers } from "../../../domain/apps/AppAbsorbers.ts"
import type { StoredConnection } from "../../../domain/apps/AppConnection.ts"
import type { BuyerRecord, LineRecord } from "../../../domain/apps/AppRecord.ts"
import { cartMinutesOf, storeSourceOf } from "../../../domain/apps/stores/Stores.ts"
import { emailIn } from "../../../domain/basics/Email.ts"
import { newId } from "../../../domain/basics/Ids.ts"
import { isoTime } from "../../../domain/basics/IsoTime.ts"
import { contactPhone } from "../../../domain/basics/Phone.ts"
import { type Order, type OrderStatus, Orders, type ReportedOrder } from "../../../domain/business/orders/Order.ts"
import { type NewProduct, Products } from "../../../domain/business/products/Product.ts"
import { type Origin, versionOf } from "../../../domain/business/records/Source.ts"
import { Contacts } from "../../../domain/people/contacts/Contact.ts"
import { contactOfEmail } from "../people/contacts/ContactOfEmail.ts"
import { makeSql } from "../tenancy/Sql.ts"
import { makeOrderProducts } from "./OrderProducts.ts"

/** Of states with one time, the one that is further on counts. */
const ranks: Readonly<Record<OrderStatus, number>> = { pending: 0, paid: 1, fulfilled: 2, canceled: 3, refunded: 4 }
/** Carts that should have been told of earlier than this are not told of any more. */
const latestMs = 86_400_000
const mostLines = 500
const longestName = 200
const longestText = 10_000

const cut = (text: string, length: number) =>
  text
    .replace(/[\p{Cc}\p{Cs}]+/gu, " ")
    .trim()
    .slice(0, length)
    .trim()
const cutOrNull = (text: string | null, length: number) => {
  const made = text === null ? "" : cut(text, length)
  return made === "" ? null : made
}
const cutLines = (text: string | null) => {
  const made = (text ?? "")
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n]|\p{Cs}/gu, " ")
    .trim()
    .slice(0, longestText)
  return made === "" ? null : made
}

/** A line keeps the SKU and name of the store. */
const lineOf = ({ sku, name, quantity, unitPrice, tax }: LineRecord) => ({
  sku: cutOrNull(sku, 100),
  name: cutOrNull(name, longestName) ?? "Product",
  quantity,
  unitPrice,
  tax
})

export const makeStoreAbsorbers = (absorbContact: NonNullable<AppAbsorbers["Service"]["contact"]>) =>
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const contacts = yield* Contacts
    const orders = yield* Orders
    const products = yield* Products
    const ordered = makeOrderProducts(sql)

    const linked = (from: StoredConnection, customer: string | null) =>
      customer === null
        ? Effect.succeed(null)
        : Effect.map(
            sql<{ contactId: string }>`SELECT contact_id FROM app_links
              WHERE connection_id = ${from.id} AND kind = 'contact' AND remote_id = ${customer} ORDER BY updated_at DESC LIMIT 1`,
            (rows) => rows.at(0)?.contactId ?? null
          )

    /** Who buys: by the number, which makes a contact where there is none; else as a customer, who may come later; a guest by the e-mail address. */
    const contactOf = Effect.fnUntraced(function* (from: StoredConnection, buyer: BuyerRecord | null) {
      if (buyer === null) return null
      const phone = contactPhone(buyer.phone ?? "")
      if (phone === undefined) {
        const known = yield* linked(from, buyer.externalId)
        return known !== null || buyer.externalId !== null || buyer.email === null
          ? known
          : ((yield* contactOfEmail(sql, buyer.email))?.id ?? null)
      }
      const found = yield* contacts.findByPhone(from.organizationId, phone)
      if (found !== undefined) return found.id
      // A customer brings the name and the address that count; only a guest has none but these.
      const isGuest = buyer.externalId === null
      const name = isGuest ? cutOrNull(buyer.name, longestName) : null
      const email = isGuest ? emailIn(buyer.email ?? "") : undefined
      const known = { phone, ...(name === null ? {} : { name }), ...(email === undefined ? {} : { email }) }
      return yield* contacts.create(from.organizationId, known, from.id).pipe(
        Effect.map(({ id }) => id),
        Effect.catchTag("DuplicateContact", ({ existingId }) => Effect.succeed(existingId))
      )
    })

    const originOf = (
      from: StoredConnection,
      record: { readonly externalId: string; readonly updatedAt: number },
      rank = 0
    ): Origin => ({
      source: storeSourceOf(from),
      externalId: record.externalId,
      updatedAt: record.updatedAt,
      rank,
      said: record
    })

    /** Gives orders and carts that came before their customer the customer's contact. */
    const claim = Effect.fnUntraced(function* (from: StoredConnection, customer: string) {
      const contactId = yield* linked(from, customer)
      if (contactId === null) return
      for (const table of ["orders", "carts"])
        yield* sql`UPDATE ${sql(table)} SET contact_id = ${contactId} WHERE organization_id = ${from.organizationId}
          AND source = ${storeSourceOf(from)} AND buyer_external_id = ${customer} AND contact_id IS NULL`
    })

    /** The order of a cart. It may be there before the cart. */
    const closeCart = Effect.fnUntraced(function* (
      from: StoredConnection,
      { id, total, currency, placedAt }: Order,
      checkoutExternalId: string | null,
      now: number
    ) {
      if (checkoutExternalId === null) return
      yield* sql`INSERT INTO carts (organization_id, id, source, external_id, order_id, order_total, order_currency, ordered_at, created_at)
        VALUES (${from.organizationId}, ${newId("crt", now)}, ${storeSourceOf(from)}, ${checkoutExternalId}, ${id}, ${total}, ${currency},
          ${new Date(placedAt)}, ${new Date(now)})
        ON CONFLICT (organization_id, source, external_id) DO UPDATE SET order_id = excluded.order_id, order_total = excluded.order_total,
          order_currency = excluded.order_currency, ordered_at = excluded.ordered_at, due_at = NULL`
    })

    return {
      contact: absorbContact,
      customer: (from, record, now) =>
        asTenant(from.organizationId)(
          Effect.gen(function* () {
            if (record._tag === "removed") return yield* absorbContact(from, { ...record, what: "contact" }, now)
            const { name, phone, email, tags, externalId, updatedAt } = record
            const fields = { name, phone, email, tags }
            const notes = yield* absorbContact(from, { _tag: "contact", externalId, updatedAt, fields }, now)
            yield* claim(from, externalId)
            return notes
          })
        ).pipe(Effect.orDie),
      product: (from, record) =>
        asTenant(from.organizationId)(
          Effect.gen(function* () {
            const source = storeSourceOf(from)
            if (record._tag === "removed") {
              // A product may be kept as its variants: `<product>/<variant>`.
              yield* sql`UPDATE products SET archived_at = coalesce(archived_at, now()), updated_at = now()
                WHERE organization_id = ${from.organizationId} AND source = ${source} AND archived_at IS NULL
                AND (external_id = ${record.externalId} OR starts_with(external_id, ${`${record.externalId}/`}))`
              return []
            }
            const input: NewProduct = {
              name: cutOrNull(record.name, longestName) ?? "Product",
              sku: cutOrNull(record.sku, 100),
              description: cutLines(record.description),
              price: record.price,
              stock: record.stock
            }
            const { id } = (yield* products.report(from.organizationId, originOf(from, record), input)).record
            yield* ordered.arrived({ organizationId: from.organizationId, source }, record.externalId, id)
            return []
          })
        ).pipe(Effect.orDie),
      order: (from, record, now) =>
        asTenant(from.organizationId)(
          Effect.gen(function* () {
            const source = storeSourceOf(from)
            if (record._tag === "removed") {
              yield* sql`UPDATE orders SET archived_at = coalesce(archived_at, now()), updated_at = now()
                WHERE organization_id = ${from.organizationId} AND source = ${source} AND external_id = ${record.externalId}`
              return []
            }
            const { status, buyer, subtotal, tax, total, paidAt } = record
            const store = { organizationId: from.organizationId, source }
            const given = record.lines.slice(0, mostLines)
            const found = yield* ordered.productsOf(store, given)
            const lines = given.map((line) => ({
              ...lineOf(line),
              productId: found.get(line.productExternalId ?? "") ?? null
            }))
            const input: ReportedOrder = {
              number: cutOrNull(record.number, 100) ?? record.externalId,
              currency: record.currency,
              status,
              contactId: yield* contactOf(from, buyer),
              lines,
              discount: record.discount,
              shipping: record.shipping,
              notes: cutLines(record.notes),
              placedAt: isoTime(record.placedAt),
              sums: { subtotal, tax, total, paidAt: paidAt === null ? null : isoTime(paidAt) }
            }
            const reported = yield* orders.report(from.organizationId, originOf(from, record, ranks[status]), input)
            const { id } = reported.record
            if (reported.outcome !== "kept") {
              yield* sql`UPDATE orders SET buyer_external_id = ${buyer?.externalId ?? null} WHERE id = ${id}
                AND buyer_external_id IS DISTINCT FROM ${buyer?.externalId ?? null}`
              const named = given.map(({ productExternalId }, n) => ({ productExternalId, name: lines[n].name }))
              yield* ordered.note(store, id, named, found)
            }
            yield* closeCart(from, reported.record, record.checkoutExternalId, now)
            return []
          })
        ).pipe(Effect.orDie),
      checkout: (from, record, now) =>
        asTenant(from.organizationId)(
          Effect.gen(function* () {
            if (record._tag === "removed") return []
            const { buyer, currency, lines, total, recoveryUrl, startedAt, updatedAt, completedAt } = record
            const version = versionOf({ ...originOf(from, record), rank: completedAt === null ? 0 : 1 }, record)
            const dueAt = updatedAt + cartMinutesOf(from.settings) * 60_000
            // A back-fill brings carts that were left long ago: nobody is told of those.
            const isDue = completedAt === null && dueAt > now - latestMs
            const at = (time: number | null) => (time === null ? null : new Date(time))
            yield* sql`INSERT INTO carts AS known (organization_id, id, source, external_id, version, contact_id, buyer_external_id, currency, lines,
                total, recovery_url, started_at, changed_at, completed_at, due_at, created_at)
              VALUES (${from.organizationId}, ${newId("crt", now)}, ${storeSourceOf(from)}, ${record.externalId}, ${version}, ${yield* contactOf(from, buyer)},
                ${buyer?.externalId ?? null}, ${currency}, ${sql.json(lines.slice(0, mostLines).map(lineOf))}, ${total}, ${cutOrNull(recoveryUrl, 2_000)},
                ${at(startedAt)}, ${at(updatedAt)}, ${at(completedAt)}, ${isDue ? new Date(dueAt) : null}, ${new Date(now)})
              ON CONFLICT (organization_id, source, external_id) DO UPDATE SET version = excluded.version, contact_id = excluded.contact_id,
                buyer_external_id = excluded.buyer_external_id, currency = excluded.currency, lines = excluded.lines, total = excluded.total,
                recovery_url = excluded.recovery_url, started_at = excluded.started_at, changed_at = excluded.changed_at,
                completed_at = excluded.completed_at,
                due_at = CASE WHEN known.abandoned_at IS NULL AND known.order_id IS NULL THEN excluded.due_at END
              WHERE known.version IS NULL OR known.version < excluded.version`
            return []
          })
        ).pipe(Effect.orDie)
    } satisfies AppAbsorbers["Service"]
  })
