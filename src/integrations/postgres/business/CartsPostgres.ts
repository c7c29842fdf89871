/** Carts in Postgres. */
import { Effect, Layer, Schema } from "effect"
import { traced } from "../../../domain/basics/Traced.ts"
import { Cart, type CartState, Carts, type CartTotals } from "../../../domain/business/carts/Cart.ts"
import { recordEvents } from "../events/EventLog.ts"
import { newestFirst } from "../tenancy/Parts.ts"
import { iso, isoOrNull, makeSql } from "../tenancy/Sql.ts"
import { organizationsWithCarts } from "./AcrossTenants.ts"

interface Row {
  readonly id: string
  readonly organizationId: string
  readonly source: string
  readonly externalId: string
  readonly contactId: string | null
  readonly currency: string
  readonly lines: unknown
  readonly total: unknown
  readonly recoveryUrl: string | null
  readonly orderId: string | null
  readonly startedAt: Date
  readonly changedAt: Date
  readonly completedAt: Date | null
  readonly abandonedAt: Date | null
  readonly orderedAt: Date | null
  readonly remindedAt: Date | null
  readonly createdAt: Date
}

const decode = Schema.decodeUnknownEffect(Schema.Array(Cart))

const stateOf = ({ orderId, completedAt, abandonedAt }: Row): CartState => {
  if (orderId !== null || completedAt !== null) return abandonedAt === null ? "ordered" : "recovered"
  return abandonedAt === null ? "open" : "abandoned"
}

const records = (rows: ReadonlyArray<Row>) =>
  decode(
    rows.map((row) => ({
      ...row,
      state: stateOf(row),
      total: Number(row.total),
      startedAt: iso(row.startedAt),
      changedAt: iso(row.changedAt),
      abandonedAt: isoOrNull(row.abandonedAt),
      orderedAt: isoOrNull(row.orderedAt),
      remindedAt: isoOrNull(row.remindedAt)
    }))
  )

export const layer = Layer.effect(
  Carts,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ordered = sql`(order_id IS NOT NULL OR completed_at IS NOT NULL)`
    const states = {
      open: sql`AND abandoned_at IS NULL AND NOT ${ordered}`,
      abandoned: sql`AND abandoned_at IS NOT NULL AND NOT ${ordered}`,
      ordered: sql`AND abandoned_at IS NULL AND ${ordered}`,
      recovered: sql`AND abandoned_at IS NOT NULL AND ${ordered}`
    }

    const abandon = Effect.fnUntraced(function* (organizationId: string, now: number, most: number) {
      const rows = yield* sql<Row>`UPDATE carts SET abandoned_at = ${new Date(now)}, due_at = NULL,
          remind_at = CASE WHEN contact_id IS NOT NULL AND recovery_url IS NOT NULL THEN ${new Date(now)}::timestamptz END
        WHERE organization_id = ${organizationId} AND id IN (SELECT id FROM carts
          WHERE organization_id = ${organizationId} AND due_at <= ${new Date(now)} AND abandoned_at IS NULL AND NOT ${ordered}
          ORDER BY due_at, id LIMIT ${most} FOR NO KEY UPDATE SKIP LOCKED)
        RETURNING *`
      const events = (yield* records(rows)).map(
        (cart) =>
          ({
            type: "cart.abandoned",
            data: { cart, contact: cart.contactId === null ? null : { id: cart.contactId } }
          }) as const
      )
      if (events.length > 0) yield* recordEvents(sql, organizationId, events, now)
      return rows.length
    })

    return Carts.of({
      list: traced("Carts.list")(
        (organizationId, state, part) =>
          asTenant(organizationId)(
            newestFirst(
              sql,
              {
                table: "carts",
                where: sql`version IS NOT NULL ${state === undefined ? sql`` : states[state]}`,
                decode: records
              },
              part
            )
          ),
        Effect.orDie
      ),
      totals: traced("Carts.totals")(function* (organizationId, since) {
        const rows = yield* asTenant(organizationId)(
          sql<{
            [Field in keyof CartTotals]: unknown
          }>`SELECT currency, count(*)::int AS abandoned, sum(total) AS abandoned_value,
              count(*) FILTER (WHERE ${ordered})::int AS recovered,
              coalesce(sum(coalesce(order_total, total)) FILTER (WHERE ${ordered}), 0) AS recovered_value
            FROM carts WHERE organization_id = ${organizationId} AND abandoned_at >= ${new Date(since)} GROUP BY currency ORDER BY currency`
        )
        return rows.map((row) => ({
          currency: String(row.currency),
          abandoned: Number(row.abandoned),
          abandonedValue: Number(row.abandonedValue),
          recovered: Number(row.recovered),
          recoveredValue: Number(row.recoveredValue)
        }))
      }, Effect.orDie),
      due: traced("Carts.due")(
        (now, most) =>
          Effect.map(organizationsWithCarts(sql, "due_at", now, most), (rows) =>
            rows.map(({ organizationId }) => organizationId)
          ),
        Effect.orDie
      ),
      abandon: traced("Carts.abandon")(
        (organizationId, now, most) => asTenant(organizationId)(abandon(organizationId, now, most)),
        Effect.orDie
      ),
      toRemind: traced("Carts.toRemind")(
        (now, most) =>
          Effect.map(organizationsWithCarts(sql, "remind_at", now, most), (rows) =>
            rows.map(({ organizationId }) => organizationId)
          ),
        Effect.orDie
      ),
      claimReminders: traced("Carts.claimReminders")(function* (organizationId, now, leaseMs, most) {
        const rows = yield* asTenant(organizationId)(
          sql<Row>`UPDATE carts SET remind_at = CASE WHEN ${ordered} THEN NULL ELSE ${new Date(now + leaseMs)}::timestamptz END
            WHERE organization_id = ${organizationId} AND id IN (SELECT id FROM carts
              WHERE organization_id = ${organizationId} AND remind_at <= ${new Date(now)} ORDER BY remind_at, id LIMIT ${most}
              FOR NO KEY UPDATE SKIP LOCKED)
            RETURNING *`
        )
        return (yield* records(rows)).filter(({ state }) => state === "abandoned")
      }, Effect.orDie),
      reminded: traced("Carts.reminded")(function* (organizationId, id, { nextAt, sentAt }) {
        const at = (time: number | null) => (time === null ? null : new Date(time))
        yield* asTenant(organizationId)(
          sql`UPDATE carts SET remind_at = ${at(nextAt)}::timestamptz, reminded_at = coalesce(reminded_at, ${at(sentAt)}::timestamptz)
            WHERE organization_id = ${organizationId} AND id = ${id}`
        )
      }, Effect.orDie),
      lastReminder: traced("Carts.lastReminder")(function* (organizationId, contactId) {
        const [row] = yield* asTenant(organizationId)(
          sql<{ at: Date | null }>`SELECT max(reminded_at) AS at FROM carts
            WHERE organization_id = ${organizationId} AND contact_id = ${contactId}`
        )
        return row?.at?.getTime()
      }, Effect.orDie)
    })
  })
)
