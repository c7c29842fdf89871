/**
 * What is known of the payment by a link, and what that comes to. Facts are joined: each only grows, whatever comes twice, late or in another order. The
 * status is computed from them.
 */
import type { DisputeState, PaymentNews, ToldAmount } from "../business/payments/PaymentNews.ts"

/**
 * `created`: it can be paid. `pending`: somebody has paid, and the provider still checks that payment, which may take days. `failed`: the newest attempt to pay failed, and it can still be paid. `expired`, `canceled`: it cannot be paid any more. The
 * others come after a payment.
 */
export const paymentStatuses = [
  "created",
  "pending",
  "failed",
  "expired",
  "canceled",
  "paid",
  "partially_refunded",
  "refunded",
  "disputed"
] as const
type PaymentStatus = (typeof paymentStatuses)[number]

/** Amounts are of the link's currency, in its smallest unit. Times are Unix milliseconds. */
export interface PaymentFacts {
  readonly paid: { readonly amount: number; readonly at: number } | null
  readonly failed: { readonly reason: string; readonly at: number } | null
  /** Since when a payment is being checked. */
  readonly pendingAt: number | null
  readonly expiredAt: number | null
  readonly canceledAt: number | null
  readonly refunded: number
  readonly dispute: DisputeState | null
}

export const noFacts: PaymentFacts = {
  paid: null,
  failed: null,
  pendingAt: null,
  expiredAt: null,
  canceledAt: null,
  refunded: 0,
  dispute: null
}

const earliest = (a: number | null, b: number | undefined) => {
  if (b === undefined) return a
  return a === null ? b : Math.min(a, b)
}

const rank = (dispute: DisputeState | null) => (dispute === null ? 0 : { open: 1, won: 2, lost: 3 }[dispute])

const laterFailure = (a: PaymentFacts["failed"], b: PaymentNews["failed"]): PaymentFacts["failed"] => {
  if (b === undefined) return a
  if (a === null || b.at > a.at || (b.at === a.at && b.reason > a.reason)) return { reason: b.reason, at: b.at }
  return a
}

/** Providers tell times in whole seconds. */
const secondMs = 1_000

/** When a link was canceled, and when it has expired. At its end it is closed by canceling it at some providers: then it has expired. */
const ends = ({ canceledAt, expiredAt }: PaymentNews, expiresAt: number) =>
  canceledAt !== undefined && canceledAt > expiresAt - secondMs
    ? { canceledAt: undefined, expiredAt: Math.min(expiresAt, expiredAt ?? expiresAt) }
    : { canceledAt, expiredAt }

/** What a link asks for, and until when (Unix milliseconds). */
interface Asked extends ToldAmount {
  readonly expiresAt: number
}

/**
 * The facts together with what a provider tells of a link that asks for `asked`. A payment of less, or in another currency, is none of this link, and
 * changes nothing; so does such a refund.
 */
export const joined = (facts: PaymentFacts, news: PaymentNews, asked: Asked): PaymentFacts => {
  const { paid: told, refunded: back } = news
  const { canceledAt, expiredAt } = ends(news, asked.expiresAt)
  const counts = told !== undefined && told.currency === asked.currency && told.amount >= asked.amount
  const { paid } = facts
  return {
    paid: counts
      ? {
          amount: Math.max(paid?.amount ?? 0, told.amount),
          at: Math.min(paid?.at ?? told.at, told.at)
        }
      : paid,
    failed: laterFailure(facts.failed, news.failed),
    // Of several the newest counts: the one before has failed.
    pendingAt: news.pendingAt === undefined ? facts.pendingAt : Math.max(facts.pendingAt ?? 0, news.pendingAt),
    expiredAt: earliest(facts.expiredAt, expiredAt),
    canceledAt: earliest(facts.canceledAt, canceledAt),
    refunded: back?.currency === asked.currency ? Math.max(facts.refunded, back.amount) : facts.refunded,
    dispute: rank(news.dispute ?? null) > rank(facts.dispute) ? (news.dispute ?? null) : facts.dispute
  }
}

/** Whether what the provider tells was paid is not what the link asks for. */
export const isOtherAmount = ({ paid }: PaymentNews, asked: ToldAmount): boolean =>
  paid !== undefined && (paid.currency !== asked.currency || paid.amount < asked.amount)

/** Whether a payment is being checked: none of it has come, and it has not failed. */
export const isPending = ({ paid, failed, pendingAt }: PaymentFacts): boolean =>
  paid === null && pendingAt !== null && (failed === null || failed.at < pendingAt)

export const statusOf = (facts: PaymentFacts): PaymentStatus => {
  const { paid, failed, expiredAt, canceledAt, refunded, dispute } = facts
  if (isPending(facts)) return "pending"
  if (paid === null) {
    if (canceledAt !== null) return "canceled"
    if (expiredAt !== null) return "expired"
    return failed === null ? "created" : "failed"
  }
  if (dispute === "open" || dispute === "lost") return "disputed"
  if (refunded >= paid.amount) return "refunded"
  return refunded > 0 ? "partially_refunded" : "paid"
}

export type PaymentHappening = "completed" | "failed" | "expired" | "canceled" | "refunded" | "disputed"

/** What has happened between two states of one payment, in this order. Each of it happens once; only further failures and refunds are told again. */
export const happenings = (before: PaymentFacts, after: PaymentFacts): ReadonlyArray<PaymentHappening> => {
  const status = statusOf(after)
  const became = (wanted: PaymentStatus) => status === wanted && statusOf(before) !== wanted
  return [
    ...(before.paid === null && after.paid !== null ? (["completed"] as const) : []),
    ...(after.paid === null && before.failed !== after.failed && status === "failed" ? (["failed"] as const) : []),
    ...(became("expired") ? (["expired"] as const) : []),
    ...(became("canceled") ? (["canceled"] as const) : []),
    ...(after.paid !== null && after.refunded > (before.paid === null ? 0 : before.refunded)
      ? (["refunded"] as const)
      : []),
    ...(after.paid !== null && after.dispute !== (before.paid === null ? null : before.dispute)
      ? (["disputed"] as const)
      : [])
  ]
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** So long after it was made a link that can be paid is asked about, for the first, second, … time. Milliseconds. */
const askAfterMs = [minute, 3 * minute, 8 * minute, 20 * minute, hour, 3 * hour, 8 * hour, day]
/** For so long after a payment refunds and disputes are asked about, once a week; and after the end of a link, once a day, whether a slow payment came. */
const afterPaymentMs = 120 * day
const afterEndMs = 5 * day

interface Following {
  readonly facts: PaymentFacts
  readonly createdAt: number
  readonly expiresAt: number
  /** How often the provider was asked. */
  readonly asks: number
}

/** When the provider is asked about a payment next, Unix milliseconds; null: never more. */
export const nextAskAt = ({ facts, createdAt, expiresAt, asks }: Following, now: number): number | null => {
  const { paid, expiredAt, canceledAt } = facts
  if (paid !== null) return now - paid.at < afterPaymentMs ? now + 7 * day : null
  const end = canceledAt ?? expiredAt
  if (end !== null) return now - end < afterEndMs ? now + day : null
  const after = askAfterMs[asks]
  const regular = after === undefined ? now + day : Math.max(createdAt + after, now + minute)
  return now < expiresAt ? Math.min(regular, Math.max(expiresAt, now + minute)) : now + 10 * minute
}
