/** Payment links in Postgres, and what follows from what providers tell of them. */
import { Effect, Layer } from "effect"
import { traced } from "../../../domain/basics/Traced.ts"
import { Orders } from "../../../domain/business/orders/Order.ts"
import type { PaymentNews } from "../../../domain/business/payments/PaymentNews.ts"
import {
  InvalidPaymentLink,
  type NamedRecords,
  type NewPaymentLink,
  type PaymentFilter,
  PaymentLinks,
  type StoredPaymentLink
} from "../../../domain/payments/PaymentLink.ts"
import {
  happenings,
  isOtherAmount,
  joined,
  nextAskAt,
  noFacts,
  type PaymentHappening
} from "../../../domain/payments/PaymentState.ts"
import { happeningText, noticeText } from "../../../domain/payments/PaymentWords.ts"
import { existing } from "../business/References.ts"
import { recordEvents } from "../events/EventLog.ts"
import { writeNote } from "../messaging/conversations/ConversationNotesPostgres.ts"
import { newestFirst } from "../tenancy/Parts.ts"
import { makeSql, within } from "../tenancy/Sql.ts"
import { writeNotice } from "../voice/calls/CallNotices.ts"
import { organizationOfLink, organizationsToAsk } from "./AcrossTenants.ts"
import { factColumns, type PaymentRow, paymentLink, shownLinks } from "./PaymentRows.ts"

/** Needs Orders. */
export const layer = Layer.effect(
  PaymentLinks,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const orders = yield* Orders

    const first = (rows: ReadonlyArray<PaymentRow>) =>
      rows.length === 0 ? Effect.succeed(undefined) : paymentLink(rows[0])
    const byId = (id: string) => Effect.flatMap(sql<PaymentRow>`SELECT * FROM payment_links WHERE id = ${id}`, first)
    const locked = (id: string) =>
      Effect.flatMap(sql<PaymentRow>`SELECT * FROM payment_links WHERE id = ${id} FOR NO KEY UPDATE`, first)

    const conditions = (organizationId: string, filter: PaymentFilter) =>
      sql.and([
        sql`organization_id = ${organizationId} AND url IS NOT NULL`,
        ...(
          [
            ["status", filter.status],
            ["contact_id", filter.contactId],
            ["order_id", filter.orderId],
            ["conversation_id", filter.conversationId],
            ["call_id", filter.callId]
          ] as const
        ).flatMap(([column, value]) => (value === undefined ? [] : [sql`${sql(column)} = ${value}`]))
      ])

    const named = ({ contactId, orderId, conversationId }: NamedRecords) => {
      const ids = (id: string | null | undefined) => (id == null ? [] : [id])
      return Effect.gen(function* () {
        yield* existing(sql, "contacts", "contact", ids(contactId))
        yield* existing(sql, "orders", "order", ids(orderId))
        yield* existing(sql, "conversations", "conversation", ids(conversationId))
      }).pipe(Effect.catchTag("InvalidRecord", ({ message }) => Effect.fail(new InvalidPaymentLink({ message }))))
    }

    const begin = Effect.fnUntraced(function* (organizationId: string, link: NewPaymentLink, now: number) {
      const { contactId, orderId, conversationId, callId } = link
      const at = new Date(now)
      const expiresAt = new Date(link.expiresAt)
      const row = {
        ...{ organization_id: organizationId, id: link.id, provider: link.provider, amount: link.amount },
        ...{ currency: link.currency, description: link.description, contact_id: contactId, order_id: orderId },
        ...{ conversation_id: conversationId, call_id: callId, created_by: link.createdBy, expires_at: expiresAt },
        ...{ ...factColumns(noFacts), ask_at: new Date(now + 60_000), created_at: at, updated_at: at }
      }
      yield* sql`INSERT INTO payment_links ${sql.insert(row)} ON CONFLICT DO NOTHING`
      const stored = yield* byId(link.id)
      return stored ?? (yield* Effect.die(new Error("What was just stored is not there")))
    })

    /** The events, in this order. `contact`: whose payment it is; an erasure finds the event by it. */
    const tell = (link: StoredPaymentLink, what: ReadonlyArray<PaymentHappening | "created">, now: number) => {
      const data = { payment: link.shown, contact: link.contactId === null ? null : { id: link.contactId } }
      const events = what.map((happened) => ({ type: `payment.${happened}` as const, data }))
      return recordEvents(sql, link.organizationId, events, now)
    }

    /** An order of the link's currency that costs no more than was paid is paid. */
    const payOrder = Effect.fnUntraced(function* ({ organizationId, orderId, currency, facts }: StoredPaymentLink) {
      const order = orderId === null ? undefined : yield* orders.find(organizationId, orderId)
      if (order === undefined || order.status !== "pending" || order.currency !== currency) return
      if ((facts.paid?.amount ?? 0) < order.total) return
      yield* Effect.orDie(orders.update(organizationId, order.id, { status: "paid" }))
    })

    const follow = Effect.fnUntraced(function* (
      link: StoredPaymentLink,
      what: ReadonlyArray<PaymentHappening>,
      now: number
    ) {
      const { organizationId, conversationId, callId, createdBy } = link
      if (what.includes("completed")) yield* payOrder(link)
      for (const happened of what) {
        if (callId !== null && (happened === "completed" || happened === "failed"))
          yield* writeNotice(sql, organizationId, callId, noticeText(happened, link.shown), now)
        if (conversationId !== null)
          yield* writeNote(sql, organizationId, conversationId, createdBy, happeningText(happened, link.shown))
      }
      yield* tell(link, what, now)
    })

    const absorb = Effect.fnUntraced(function* (
      organizationId: string,
      provider: string,
      news: PaymentNews,
      now: number
    ) {
      const before = news.reference === null ? undefined : yield* locked(news.reference)
      if (before === undefined || before.provider !== provider || before.organizationId !== organizationId)
        return undefined
      if (isOtherAmount(news, before))
        yield* Effect.logWarning("a payment of another amount than the link asks for was not taken", {
          organizationId,
          id: before.id
        })
      const facts = joined(before.facts, news, before)
      const columns = factColumns(facts)
      const known = factColumns(before.facts)
      if (JSON.stringify(columns) === JSON.stringify(known)) {
        if (news.askNow === true && before.made !== null)
          yield* sql`UPDATE payment_links SET ask_at = ${new Date(now)} WHERE id = ${before.id}`
        return before
      }
      const askAt = nextAskAt({ ...before, facts }, now)
      const changes = { ...columns, updated_at: new Date(now), ask_at: askAt === null ? null : new Date(askAt) }
      yield* sql`UPDATE payment_links SET ${sql.update(changes)} WHERE id = ${before.id}`
      const after = yield* byId(before.id)
      if (after === undefined) return undefined
      yield* follow(after, happenings(before.facts, facts), now)
      return after
    })

    return PaymentLinks.of({
      list: traced("PaymentLinks.list")(
        (organizationId, filter, part) =>
          asTenant(organizationId)(
            newestFirst(
              sql,
              { table: "payment_links", where: conditions(organizationId, filter), decode: shownLinks },
              part
            )
          ),
        Effect.orDie
      ),

      find: traced("PaymentLinks.find")((organizationId, id) => asTenant(organizationId)(byId(id)), Effect.orDie),

      named: traced("PaymentLinks.named")((organizationId, ids) => within(asTenant(organizationId))(named(ids))),

      begin: traced("PaymentLinks.begin")((organizationId, link, now) =>
        within(asTenant(organizationId))(
          Effect.catchTags(begin(organizationId, link, now), { SqlError: Effect.die, SchemaError: Effect.die })
        )
      ),

      made: traced("PaymentLinks.made")(function* (organizationId, id, made, now) {
        return yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const before = yield* locked(id)
            if (before === undefined || before.made !== null) return before
            const askAt = nextAskAt(before, now)
            const { externalId: external_id, url, live } = made
            const changes = { external_id, url, live, ask_at: askAt === null ? null : new Date(askAt) }
            yield* sql`UPDATE payment_links SET ${sql.update(changes)} WHERE id = ${id}`
            const after = yield* byId(id)
            if (after !== undefined) yield* tell(after, ["created"], now)
            return after
          })
        )
      }, Effect.orDie),

      began: traced("PaymentLinks.began")(function* (organizationId, id, attempt) {
        yield* asTenant(organizationId)(
          sql`UPDATE payment_links SET attempts = array_append(attempts, ${attempt}) WHERE id = ${id} AND NOT ${attempt} = ANY (attempts)`
        )
      }, Effect.orDie),

      drop: traced("PaymentLinks.drop")(function* (organizationId, id) {
        yield* asTenant(organizationId)(
          sql`DELETE FROM payment_links WHERE id = ${id} AND url IS NULL AND paid_at IS NULL AND pending_at IS NULL`
        )
      }, Effect.orDie),

      absorb: traced("PaymentLinks.absorb")(
        (organizationId, provider, news, now) => asTenant(organizationId)(absorb(organizationId, provider, news, now)),
        Effect.orDie
      ),

      due: (now, without, most) => Effect.orDie(organizationsToAsk(sql, now, without, most)),

      claim: traced("PaymentLinks.claim")(function* (organizationId, now, leaseMs, most) {
        const rows = yield* asTenant(organizationId)(
          sql<PaymentRow>`WITH due AS (SELECT id FROM payment_links WHERE organization_id = ${organizationId}
              AND ask_at <= ${new Date(now)} ORDER BY ask_at LIMIT ${most} FOR NO KEY UPDATE SKIP LOCKED)
            UPDATE payment_links p SET ask_at = ${new Date(now + leaseMs)}, asks = asks + 1 FROM due
            WHERE p.organization_id = ${organizationId} AND p.id = due.id RETURNING p.*`
        )
        return yield* Effect.forEach(rows, paymentLink)
      }, Effect.orDie),

      asked: traced("PaymentLinks.asked")(function* (organizationId, id, nextAt) {
        const at = nextAt === null ? null : new Date(nextAt)
        yield* asTenant(organizationId)(sql`UPDATE payment_links SET ask_at = ${at} WHERE id = ${id}`)
      }, Effect.orDie),

      ofPage: traced("PaymentLinks.ofPage")(function* (id) {
        const owner = yield* organizationOfLink(sql, id)
        return owner === undefined ? undefined : yield* asTenant(owner.id)(byId(id))
      }, Effect.orDie)
    })
  })
)
