/** Webhooks of Razorpay: its own library verifies what our simulator signs, and we verify what it would. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import fc from "fast-check"
import Razorpay from "razorpay"
import { razorpayKey, razorpaySignature, start } from "../../../simulators/payments/Razorpay.ts"
import { AppFailure, type AppSession } from "../../../src/domain/apps/AppSession.ts"
import { canAsk } from "../../../src/integrations/razorpay/RazorpayAmounts.ts"
import { makeRazorpayWebhooks, razorpayEvents } from "../../../src/integrations/razorpay/RazorpayWebhooks.ts"
import { isSignedBody } from "../../../src/integrations/secrets/SignedBody.ts"

const secret = "rzp-webhook-secret"
const now = 1_767_225_600_000
const webhooks = makeRazorpayWebhooks("https://razorpay.test")
const session: AppSession = {
  organizationId: "org_1",
  settings: {},
  credentials: { ...razorpayKey, webhookSecret: secret },
  ask: () => Effect.fail(new AppFailure({ action: "retry", message: "Nobody answers." })),
  fetch: () => Effect.fail(new AppFailure({ action: "retry", message: "Nobody answers." }))
}

const event = (payload: object, name: string = "payment_link.paid", at: unknown = now / 1_000) =>
  JSON.stringify({ entity: "event", event: name, payload, created_at: at })
const paid = {
  ...{ id: "plink_1", short_url: "https://rzp.io/i/1", status: "paid", amount: 120_000, amount_paid: 120_000 },
  ...{ currency: "INR", reference_id: "pay_1", notes: { parley_payment: "pay_1" }, created_at: now / 1_000 - 60 },
  payments: [{ payment_id: "pay_7", status: "captured", created_at: now / 1_000 - 5 }]
}

const posted = (body: string, signature = razorpaySignature(body, secret), id = "evt_1") =>
  webhooks.verify(
    session,
    {
      headers: { "x-razorpay-signature": signature, "x-razorpay-event-id": id },
      body: Buffer.from(body),
      url: "https://app.test"
    },
    now
  )

/** What a genuine body comes to. */
const taken = (body: string) =>
  Effect.flatMap(posted(body), ({ arrivals }) =>
    Effect.forEach(arrivals, (arrival) => webhooks.read(session, arrival, now))
  )

describe("the signature of Razorpay", () => {
  it("of the published vector is right", () => {
    const vector = "e06fc072524aa64960aeb08edcb00983a5862714164038ff574c92126a7fef8f"
    assert.isTrue(isSignedBody([secret], Buffer.from('{"event":"payment_link.paid"}'), vector, "hex"))
  })

  it("that our simulator makes is taken by Razorpay's library, and refused when a byte or the secret differs", () => {
    const body = event({ payment_link: { entity: paid } })
    const signature = razorpaySignature(body, secret)
    assert.isTrue(Razorpay.validateWebhookSignature(body, signature, secret))
    const refusal = (effect: ReturnType<typeof posted>) => Effect.runSync(Effect.flip(effect))
    assert.strictEqual(Effect.runSync(posted(body)).arrivals.length, 1)
    assert.deepInclude(refusal(posted(`${body} `, signature)), { status: 401 })
    assert.deepInclude(refusal(posted(body, razorpaySignature(body, "another"))), { status: 401 })
    assert.deepInclude(refusal(posted("[]")), { status: 400 })
  })
})

describe("a genuine webhook of Razorpay", () => {
  it.effect("says what was paid, under our id of the link", () =>
    Effect.gen(function* () {
      const [[record]] = yield* taken(event({ payment_link: { entity: paid } }))
      assert.deepInclude(record, {
        ...{ _tag: "payment", reference: "pay_1", externalId: "evt_1" },
        paid: { amount: 120_000, currency: "INR", at: now - 5_000 }
      })
      const [[partly]] = yield* taken(event({ payment_link: { entity: { ...paid, status: "partially_paid" } } }))
      assert.notProperty(partly, "paid")
      assert.deepStrictEqual(yield* taken(event({}, "settlement.processed")), [])
    })
  )

  it("is a record or a clear refusal, whatever its body is, and its amount is never changed", () => {
    const amount = fc.oneof(fc.integer({ min: 0, max: 10 ** 12 }), fc.double(), fc.string(), fc.constant(null))
    const entity = fc.oneof(
      fc.record({
        ...{ id: fc.oneof(fc.constant("plink_1"), fc.string()), short_url: fc.string(), amount, amount_paid: amount },
        status: fc.constantFrom("paid", "created", "expired", "cancelled", "captured", "failed"),
        currency: fc.constantFrom("INR", "JPY", "KWD", "inr", "", "🦊"),
        ...{ created_at: fc.nat(), payments: fc.constant(null), amount_refunded: amount },
        notes: fc.oneof(fc.constant({ parley_payment: "pay_1" }), fc.constant([]), fc.jsonValue())
      }),
      fc.jsonValue()
    )
    const payload = fc.oneof(
      fc.record({ payment_link: fc.record({ entity }), payment: fc.record({ entity }) }),
      fc.jsonValue().filter((value) => typeof value === "object" && value !== null)
    )
    const created = fc.oneof(fc.nat(), fc.jsonValue())
    fc.assert(
      fc.property(payload, fc.constantFrom(...razorpayEvents), created, (said, name, at) => {
        const exit = Effect.runSyncExit(taken(event(said as object, name, at)))
        if (Exit.isFailure(exit)) {
          const dies = exit.cause.reasons.some((reason) => reason._tag === "Die")
          assert.isFalse(dies, String(exit.cause))
          return
        }
        for (const record of exit.value.flat()) {
          if (record._tag !== "payment" || record.paid === undefined) continue
          const link = name.startsWith("payment_link.")
          const { entity: told } = Reflect.get(said as object, link ? "payment_link" : "payment")
          const { amount, currency } = record.paid
          assert.deepStrictEqual(
            { amount, currency },
            { amount: link ? told.amount_paid : told.amount, currency: told.currency }
          )
        }
      }),
      { numRuns: 500 }
    )
  })
})

describe("an amount for Razorpay", () => {
  it("is taken as it is, except of three decimals, which must end with 0", () => {
    assert.deepStrictEqual(
      [canAsk(1, "INR"), canAsk(2_499, "JPY"), canAsk(2_490, "KWD"), canAsk(2_499, "KWD")],
      [true, true, true, false]
    )
  })
})

describe("the simulated Razorpay", () => {
  it("takes what Razorpay's library sends", async () => {
    const { url, close, records } = await start()
    try {
      const library = new Razorpay({ key_id: razorpayKey.keyId, key_secret: razorpayKey.keySecret })
      Reflect.get(library.api, "rq").defaults.baseURL = url
      const made = await library.paymentLink.create({
        ...{ amount: 120_000, currency: "INR", description: "Order 7", reference_id: "pay_1" },
        ...{ customer: { name: "Asha", contact: "+919812345678" }, notify: { sms: false, email: false } },
        expire_by: Math.floor(Date.now() / 1_000) + 3_600
      })
      records.pay(made.id)
      const { payments, status } = await library.paymentLink.fetch(made.id)
      assert.strictEqual(status, "paid")
      const [payment] = [payments].flat()
      const { amount } = await library.payments.fetch(String(Reflect.get(Object(payment), "payment_id")))
      assert.strictEqual(amount, 120_000)
    } finally {
      await close()
    }
  })
})
