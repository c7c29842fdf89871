/** Converts rows of payment links into records. */
import { Effect, Schema } from "effect"
import type { DisputeState } from "../../../domain/business/payments/PaymentNews.ts"
import { decimalAmount } from "../../../domain/business/records/Money.ts"
import { PaymentLink, PaymentProvider, type StoredPaymentLink } from "../../../domain/payments/PaymentLink.ts"
import { type PaymentFacts, statusOf } from "../../../domain/payments/PaymentState.ts"
import { iso, isoOrNull } from "../tenancy/Sql.ts"

/** Amounts are read as text: the client does not make numbers of them. */
export interface PaymentRow {
  readonly organizationId: string
  readonly id: string
  readonly provider: string
  readonly externalId: string | null
  readonly url: string | null
  readonly live: boolean | null
  readonly amount: unknown
  readonly currency: string
  readonly description: string
  readonly contactId: string | null
  readonly orderId: string | null
  readonly conversationId: string | null
  readonly callId: string | null
  readonly createdBy: string
  readonly expiresAt: Date
  readonly paidAmount: unknown
  readonly paidAt: Date | null
  readonly failure: string | null
  readonly failedAt: Date | null
  readonly pendingAt: Date | null
  readonly expiredAt: Date | null
  readonly canceledAt: Date | null
  readonly refunded: unknown
  readonly dispute: DisputeState | null
  readonly attempts: ReadonlyArray<string>
  readonly asks: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

const decodeLink = Schema.decodeUnknownEffect(PaymentLink)
const decodeProvider = Schema.decodeUnknownEffect(PaymentProvider)

const factsOf = (row: PaymentRow): PaymentFacts => ({
  paid: row.paidAt === null ? null : { amount: Number(row.paidAmount), at: row.paidAt.getTime() },
  failed: row.failedAt === null ? null : { reason: row.failure ?? "", at: row.failedAt.getTime() },
  pendingAt: row.pendingAt?.getTime() ?? null,
  expiredAt: row.expiredAt?.getTime() ?? null,
  canceledAt: row.canceledAt?.getTime() ?? null,
  refunded: Number(row.refunded),
  dispute: row.dispute
})

/** The columns that hold what is known of a payment. */
export const factColumns = (facts: PaymentFacts) => {
  const at = (time: number | null | undefined) => (time == null ? null : new Date(time))
  return {
    status: statusOf(facts),
    paid_amount: facts.paid?.amount ?? null,
    paid_at: at(facts.paid?.at),
    failure: facts.failed?.reason ?? null,
    failed_at: at(facts.failed?.at),
    pending_at: at(facts.pendingAt),
    expired_at: at(facts.expiredAt),
    canceled_at: at(facts.canceledAt),
    refunded: facts.refunded,
    dispute: facts.dispute
  }
}

const shownOf = (row: PaymentRow, facts: PaymentFacts) => {
  const decimal = (amount: number) => decimalAmount(amount, row.currency)
  return decodeLink({
    ...row,
    url: row.url ?? "",
    live: row.live ?? false,
    status: statusOf(facts),
    amount: decimal(Number(row.amount)),
    expiresAt: iso(row.expiresAt),
    paidAmount: facts.paid === null ? null : decimal(facts.paid.amount),
    paidAt: isoOrNull(row.paidAt),
    refundedAmount: decimal(facts.refunded),
    failureReason: row.failure,
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt)
  })
}

export const paymentLink = Effect.fnUntraced(function* (row: PaymentRow) {
  const facts = factsOf(row)
  const { externalId, url, live } = row
  return {
    ...row,
    provider: yield* decodeProvider(row.provider),
    amount: Number(row.amount),
    expiresAt: row.expiresAt.getTime(),
    createdAt: row.createdAt.getTime(),
    made: externalId === null || url === null || live === null ? null : { externalId, url, live },
    facts,
    shown: yield* shownOf(row, facts)
  } satisfies StoredPaymentLink
})

/** The links as they are shown. */
export const shownLinks = (rows: ReadonlyArray<PaymentRow>) => Effect.forEach(rows, (row) => shownOf(row, factsOf(row)))
