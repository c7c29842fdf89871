/** What is known of a payment, whatever comes twice, late or in another order. */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import type { PaymentNews } from "../../../src/domain/business/payments/PaymentNews.ts"
import {
  happenings,
  joined,
  nextAskAt,
  noFacts,
  type PaymentFacts,
  statusOf
} from "../../../src/domain/payments/PaymentState.ts"

const asked = { amount: 1_999, currency: "USD", expiresAt: 1_500 }
const at = fc.nat(1_000)
const amount = fc.integer({ min: 0, max: 4_000 })
const currency = fc.constantFrom("USD", "USD", "USD", "EUR")

const news: fc.Arbitrary<PaymentNews> = fc.record(
  {
    reference: fc.constant("pay_1"),
    paid: fc.record({ amount, currency, at }),
    failed: fc.record({ reason: fc.string(), at }),
    pendingAt: at,
    expiredAt: at,
    canceledAt: at,
    refunded: fc.record({ amount, currency }),
    dispute: fc.constantFrom("open", "won", "lost")
  },
  { requiredKeys: ["reference"] }
)

const known = (all: ReadonlyArray<PaymentNews>): PaymentFacts =>
  all.reduce((facts, one) => joined(facts, one, asked), noFacts)

/** What was told on the way. */
const told = (all: ReadonlyArray<PaymentNews>) => {
  let facts = noFacts
  return all.flatMap((one) => {
    const next = joined(facts, one, asked)
    const what = happenings(facts, next)
    facts = next
    return what
  })
}

const shuffled = fc
  .array(news, { maxLength: 8 })
  .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: 2 * all.length })))

describe("what is known of a payment", () => {
  it("is the same whatever comes twice, late or in another order", () => {
    fc.assert(
      fc.property(shuffled, ([all, again]) => {
        assert.deepStrictEqual(known(again), known(all))
      })
    )
  })

  it("is that it has expired when the provider calls a link canceled that was closed at its end", () => {
    const [early, late] = [499, 1_000].map((canceledAt) => joined(noFacts, { reference: "pay_1", canceledAt }, asked))
    assert.deepStrictEqual([statusOf(early), statusOf(late)], ["canceled", "expired"])
    assert.strictEqual(late.expiredAt, 1_500)
  })

  it("is pending until it is paid or has failed, and again when another attempt is checked", () => {
    const status = (...all: ReadonlyArray<Partial<PaymentNews>>) =>
      statusOf(known(all.map((one) => ({ reference: "pay_1", ...one }))))
    const failed = { failed: { reason: "no", at: 5 } }
    const paid = { paid: { amount: 1_999, currency: "USD", at: 3 } }
    assert.strictEqual(status({ pendingAt: 3 }), "pending")
    assert.strictEqual(status(failed, { pendingAt: 3 }), "failed")
    assert.strictEqual(status({ pendingAt: 7 }, failed), "pending")
    assert.strictEqual(status({ pendingAt: 7 }, { expiredAt: 8 }), "pending")
    assert.strictEqual(status({ pendingAt: 7 }, paid), "paid")
  })

  it("is completed exactly once when it was paid, and never otherwise", () => {
    fc.assert(
      fc.property(shuffled, ([all, again]) => {
        const paid = known(all).paid !== null
        assert.lengthOf(
          told(again).filter((one) => one === "completed"),
          paid ? 1 : 0
        )
      })
    )
  })

  it("never takes a payment of less, or in another currency", () => {
    fc.assert(
      fc.property(fc.array(news), (all) => {
        const { paid } = known(all)
        assert.isTrue(paid === null || paid.amount >= asked.amount)
      })
    )
    const wrong = known([{ reference: "pay_1", paid: { amount: 1_999, currency: "EUR", at: 1 } }])
    assert.strictEqual(statusOf(wrong), "created")
  })

  it("tells of a refund and a dispute only after the payment, also when they come before it", () => {
    const paid = { reference: "pay_1", paid: { ...asked, at: 1 } }
    const refunded = { reference: "pay_1", refunded: { amount: 999, currency: "USD" } }
    assert.deepStrictEqual(told([refunded, paid]), ["completed", "refunded"])
    assert.deepStrictEqual(told([paid, refunded, refunded]), ["completed", "refunded"])
    assert.strictEqual(statusOf(known([refunded, paid])), "partially_refunded")
    assert.deepStrictEqual(told([{ reference: "pay_1", dispute: "open" }, paid]), ["completed", "disputed"])
    assert.strictEqual(statusOf(known([paid, { reference: "pay_1", dispute: "won" }])), "paid")
  })

  it("is paid although the link has expired or was canceled meanwhile", () => {
    const paid = { reference: "pay_1", paid: { ...asked, at: 9 } }
    assert.deepStrictEqual(told([{ reference: "pay_1", expiredAt: 5 }, paid]), ["expired", "completed"])
    assert.strictEqual(statusOf(known([paid, { reference: "pay_1", canceledAt: 5 }])), "paid")
  })

  it("is asked about soon, then seldom, at its end, and no more long after it", () => {
    const link = { facts: noFacts, createdAt: 0, expiresAt: 7 * 86_400_000 }
    assert.strictEqual(nextAskAt({ ...link, asks: 0 }, 0), 60_000)
    assert.strictEqual(nextAskAt({ ...link, asks: 1 }, 60_000), 180_000)
    const late = nextAskAt({ ...link, asks: 20 }, 6.5 * 86_400_000)
    assert.strictEqual(late, link.expiresAt)
    const ended = { ...link, facts: { ...noFacts, expiredAt: link.expiresAt }, asks: 30 }
    assert.strictEqual(nextAskAt(ended, link.expiresAt), link.expiresAt + 86_400_000)
    assert.isNull(nextAskAt(ended, link.expiresAt + 6 * 86_400_000))
  })
})
