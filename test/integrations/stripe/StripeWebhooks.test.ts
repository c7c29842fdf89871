/** Webhooks of Stripe: Stripe's own SDK signs what we verify, and verifies what our simulator signs. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import fc from "fast-check"
import Stripe from "stripe"
import { stripeSignature } from "../../../simulators/payments/Stripe.ts"
import { AppFailure, type AppSession } from "../../../src/domain/apps/AppSession.ts"
import { fromStripe, toStripe } from "../../../src/integrations/stripe/StripeAmounts.ts"
import { formOf } from "../../../src/integrations/stripe/StripeRequests.ts"
import { makeWebhooks, signatureProblem } from "../../../src/integrations/stripe/StripeWebhooks.ts"

const secret = "whsec_test_0123456789"
const now = 1_767_225_600_000
const sdk = new Stripe("sk_test_1")
const webhooks = makeWebhooks("https://stripe.test")
const session: AppSession = {
  organizationId: "org_1",
  settings: {},
  credentials: { secretKey: "sk_test_1", webhookSecret: secret },
  ask: () => Effect.fail(new AppFailure({ action: "retry", message: "Nobody answers." })),
  fetch: () => Effect.fail(new AppFailure({ action: "retry", message: "Nobody answers." }))
}

const event = (object: unknown, type = "checkout.session.completed", created: unknown = now / 1_000) =>
  JSON.stringify({ id: "evt_1", object: "event", type, created, data: { object } })
const paid = {
  ...{ id: "cs_1", status: "complete", payment_status: "paid", amount_total: 1_999, currency: "usd" },
  ...{ created: now / 1_000, metadata: { parley_payment: "pay_1" }, payment_intent: "pi_1" }
}

const posted = (
  body: string,
  header = sdk.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: now / 1_000 })
) =>
  webhooks.verify(
    session,
    { headers: { "stripe-signature": header }, body: Buffer.from(body), url: "https://app.test" },
    now
  )

/** What a genuine body comes to. */
const taken = (body: string) =>
  Effect.flatMap(posted(body), ({ arrivals }) =>
    Effect.forEach(arrivals, (arrival) => webhooks.read(session, arrival, now))
  )

describe("the signature of Stripe", () => {
  it("is taken as Stripe's SDK makes it, and refused when a byte, the secret or the time differs", () => {
    const body = event(paid)
    const header = sdk.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: now / 1_000 })
    const problem = (text: string, key = secret, at = now, signed: string | undefined = header) =>
      signatureProblem(signed, Buffer.from(text), key, at)
    assert.isUndefined(problem(body))
    assert.match(problem(`${body} `) ?? "", /does not fit/)
    assert.match(problem(body, "whsec_other") ?? "", /does not fit/)
    assert.match(problem(body, secret, now + 301_000) ?? "", /too old/)
    assert.match(signatureProblem(undefined, Buffer.from(body), secret, now) ?? "", /missing/)
    assert.isUndefined(problem(body, secret, now, header.replace(",v1=", `,v1=${"0".repeat(64)},v1=`)))
  })

  it("of the published vector is right", () => {
    const body = '{"id":"evt_1","object":"event","type":"checkout.session.completed"}'
    const header = "t=1767225600,v1=cea679c755833f15324a726a30f24ae288700fb9d9184748225928aeb1fdcdc6"
    assert.isUndefined(signatureProblem(header, Buffer.from(body), secret, now))
  })

  it("that our simulator makes is taken by Stripe's SDK", () => {
    const body = event(paid)
    const at = Date.now()
    assert.strictEqual(sdk.webhooks.constructEvent(body, stripeSignature(body, secret, at), secret).id, "evt_1")
  })

  it("never breaks, whatever the header and the body are", () => {
    fc.assert(
      fc.property(fc.string(), fc.uint8Array(), (header, body) => {
        assert.isString(signatureProblem(header, body, secret, now))
      })
    )
  })
})

describe("a genuine webhook of Stripe", () => {
  it.effect("says what was paid, under our id of the link", () =>
    Effect.gen(function* () {
      const [[record]] = yield* taken(event(paid))
      assert.deepInclude(record, {
        _tag: "payment",
        reference: "pay_1",
        paid: { amount: 1_999, currency: "USD", at: now }
      })
      const [[unpaid]] = yield* taken(event({ ...paid, payment_status: "unpaid" }))
      assert.notProperty(unpaid, "paid")
      assert.deepStrictEqual(yield* taken(event(paid, "customer.created")), [])
    })
  )

  it("is a record or a clear refusal, whatever its body is, and its amount is never changed", () => {
    const amount = fc.oneof(fc.integer({ min: 0, max: 10 ** 12 }), fc.double(), fc.string(), fc.constant(null))
    const object = fc.oneof(
      fc.record({
        ...{ id: fc.string(), status: fc.constant("complete"), payment_status: fc.constantFrom("paid", "unpaid") },
        ...{ amount_total: amount, currency: fc.constantFrom("usd", "jpy", "kwd", "", "🦊"), created: fc.nat() },
        metadata: fc.oneof(fc.constant({ parley_payment: "pay_1" }), fc.jsonValue())
      }),
      fc.jsonValue()
    )
    const type = fc.constantFrom(
      "checkout.session.completed",
      "charge.refunded",
      "payment_intent.payment_failed",
      "charge.dispute.closed"
    )
    fc.assert(
      fc.property(object, type, fc.oneof(fc.nat(), fc.jsonValue()), (one, name, created) => {
        const exit = Effect.runSyncExit(taken(event(one, name, created)))
        if (Exit.isFailure(exit)) {
          assert.isFalse(
            exit.cause.reasons.some((reason) => reason._tag === "Die"),
            String(exit.cause)
          )
          return
        }
        for (const record of exit.value.flat()) {
          if (record._tag !== "payment" || record.paid === undefined || name !== "checkout.session.completed") continue
          const { amount_total: told, currency } = one as { amount_total: number; currency: string }
          assert.deepInclude(record.paid, fromStripe(told, currency))
        }
      }),
      { numRuns: 500 }
    )
  })

  it("is refused when it is no event, or its secret is not stored", () => {
    const refusal = (effect: ReturnType<typeof posted>) => Effect.runSync(Effect.flip(effect))
    assert.deepInclude(refusal(posted("[]")), { status: 400 })
    assert.deepInclude(refusal(posted(event(paid), "t=1,v1=00")), { status: 401 })
  })
})

describe("an amount for Stripe", () => {
  it("comes back as it was, in every currency that Stripe takes it in", () => {
    const currency = fc.constantFrom("USD", "EUR", "JPY", "KRW", "KWD", "BHD", "ISK", "UGX", "MGA", "CLP", "HUF")
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 12 }), currency, (amount, code) => {
        const asked = toStripe(amount, code)
        if (asked !== undefined)
          assert.deepStrictEqual(fromStripe(asked, code.toLowerCase()), { amount, currency: code })
      })
    )
    assert.deepStrictEqual(
      [toStripe(2_499, "JPY"), toStripe(2_490, "KWD"), toStripe(500, "ISK")],
      [2_499, 2_490, 50_000]
    )
    assert.isUndefined(toStripe(2_499, "KWD"))
  })
})

describe("a request to Stripe", () => {
  it("has the body that Stripe's SDK makes of the same fields", async () => {
    let body = ""
    const http = Stripe.createFetchHttpClient(async (_url: unknown, init?: { readonly body?: unknown }) => {
      body = String(init?.body)
      return new Response(JSON.stringify({ id: "plink_1", object: "payment_link" }), { status: 200 })
    })
    const fields = {
      line_items: [
        {
          price_data: { currency: "usd", unit_amount: 1_999, product_data: { name: "Order 2041 & more" } },
          quantity: 1
        }
      ],
      metadata: { parley_payment: "pay_1" },
      payment_intent_data: { description: "Order 2041", metadata: { parley_payment: "pay_1" } },
      restrictions: { completed_sessions: { limit: 1 } }
    } satisfies Stripe.PaymentLinkCreateParams
    await new Stripe("sk_test_1", { httpClient: http }).paymentLinks.create(fields)
    const sorted = (form: string) => [...new URLSearchParams(form)].map(([name, value]) => `${name}=${value}`).sort()
    assert.deepStrictEqual(sorted(formOf(fields)), sorted(body))
  })
})
