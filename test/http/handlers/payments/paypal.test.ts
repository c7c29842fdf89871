/** Payment links at a simulated PayPal: our own page, its order, the capture, and what webhooks and questions tell of it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { payPalClient, start } from "../../../../simulators/payments/PayPal.ts"
import { publicBaseUrl } from "../../../http/world.ts"
import { eventually } from "../../../support/eventually.ts"
import { startPaymentsWith } from "../../../support/payments.ts"
import { playsInRealTime } from "../../../support/Slowness.ts"

playsInRealTime()

const startPayPal = Effect.gen(function* () {
  const at = { base: "" }
  const paypal = yield* Effect.acquireRelease(
    Effect.promise(() => start((url) => url.replace(publicBaseUrl, at.base))),
    ({ close }) => Effect.promise(close)
  )
  const payments = yield* startPaymentsWith({ paypal: paypal.url, payPalRoots: [paypal.chain.root.pem] })
  at.base = payments.world.base
  type Tenant = Awaited<ReturnType<typeof payments.tenant>>
  const connect = (as: Tenant) =>
    payments.connectProvider(as, "paypal", { credentials: payPalClient, settings: { sandbox: true } })
  const page = async (url: unknown, method = "GET") => {
    const answer = await fetch(String(url).replace(publicBaseUrl, at.base), { method, redirect: "manual" })
    return { status: answer.status, next: answer.headers.get("location") ?? "", text: await answer.text() }
  }
  /** The payer agrees at PayPal, and is sent back to the address that this gives. */
  const agree = async (url: unknown) => {
    const begun = await page(url, "POST")
    assert.strictEqual(begun.status, 303, begun.text)
    const { status, next } = await page(begun.next)
    assert.strictEqual(status, 302)
    return next
  }
  return { ...payments, paypal, connect, page, agree }
})
type World = Effect.Success<typeof startPayPal>

const story = (name: string, tell: (world: World) => Promise<void>) =>
  it.live(name, () => Effect.scoped(Effect.flatMap(startPayPal, (world) => Effect.promise(() => tell(world)))))

const working = (layer: World["worker"] | World["paymentWorker"], during: Effect.Effect<unknown, never, Scope.Scope>) =>
  Effect.runPromise(Effect.scoped(Effect.andThen(layer as World["worker"], during)))

const due = "UPDATE payment_links SET ask_at = now() - interval '1 second' WHERE ask_at IS NOT NULL"

describe("a payment link at PayPal", () => {
  story("is a page of ours, where it is paid once, and its webhooks say what follows", async (world) => {
    const { paypal, connect, tenant, link, page, agree, state, events } = world
    const us = await tenant({ name: "Maple Books" })
    const connection = await connect(us)
    assert.deepInclude(connection, { secrets: ["clientId", "clientSecret", "accessToken", "expiresAt", "webhookId"] })
    const made = await link(us)
    assert.deepInclude(made, { provider: "paypal", live: false, url: `${publicBaseUrl}/pay/${made.id}` })
    const first = await page(made.url)
    for (const text of ["19.99 USD", "Maple Books", "Order 2041", "Pay with PayPal", "This is a test"])
      assert.include(first.text, text)
    assert.strictEqual(paypal.records.orders.size, 0)
    const back = await agree(made.url)
    assert.include((await page(back)).text, "Paid: 19.99 USD")
    assert.include((await page(made.url)).text, "Paid: 19.99 USD")
    assert.notInclude((await page(made.url, "POST")).text, "Pay with PayPal")
    assert.strictEqual(paypal.records.orders.size, 1)
    const [{ id: order }] = [...paypal.records.orders.values()]
    const { id: capture } = paypal.records.captureOf(order)
    await working(
      world.worker,
      Effect.gen(function* () {
        const told = [
          ...paypal.records.refund(capture, 500),
          ...paypal.records.dispute(capture, null),
          ...paypal.records.dispute(capture, "RESOLVED_SELLER_FAVOUR")
        ].map((event) => paypal.eventOf(event))
        for (const body of [...told].reverse()) yield* Effect.promise(() => paypal.post(body))
        for (const body of told) yield* Effect.promise(() => paypal.post(body))
        yield* eventually("all is told", async () => {
          const { status, refundedAmount, dispute } = await state(us, made.id)
          return status === "partially_refunded" && refundedAmount === "5.00" && dispute === "won"
        })
      })
    )
    assert.strictEqual((await events(us)).filter((type) => type === "payment.completed").length, 1)
  })

  story("is paid, too, when the payer agrees and never comes back, with webhooks and without them", async (world) => {
    const { paypal, connect, tenant, link, agree, state, rows } = world
    const us = await tenant()
    await connect(us)
    const [heard, unheard] = [await link(us), await link(us)]
    await working(
      world.paymentWorker,
      Effect.gen(function* () {
        yield* world.worker
        yield* Effect.promise(() => agree(heard.url))
        yield* eventually("PayPal's webhook makes us ask", async () => (await state(us, heard.id)).status === "paid")
        paypal.telling.on = false
        yield* Effect.promise(() => agree(unheard.url))
        yield* Effect.promise(() => rows(us, due))
        yield* eventually("it is found by asking", async () => (await state(us, unheard.id)).status === "paid")
      })
    )
  })

  story("that was canceled takes no money, also of those who have agreed to pay", async (world) => {
    const { paypal, connect, tenant, link, links, agree, page, state } = world
    const us = await tenant()
    await connect(us)
    paypal.telling.on = false
    const made = await link(us)
    const back = await agree(made.url)
    assert.deepInclude((await links(us, "POST", `/${made.id}/cancel`)).body, { status: "canceled" })
    assert.include((await page(back)).text, "cannot be paid any more")
    assert.deepInclude(await state(us, made.id), { status: "canceled", paidAmount: null })
    assert.deepStrictEqual(
      [...paypal.records.orders.values()].map(({ status }) => status),
      ["APPROVED"]
    )
  })

  story("can be tried again when the bank says no, by the same order, and says when PayPal is away", async (world) => {
    const { paypal, connect, tenant, link, agree, page, call } = world
    const us = await tenant()
    await connect(us)
    paypal.telling.on = false
    const made = await link(us)
    paypal.records.declines = true
    assert.include((await page(await agree(made.url))).text, "Pay with PayPal")
    const back = await agree(made.url)
    paypal.records.declines = false
    assert.include((await page(back)).text, "Paid: 19.99 USD")
    assert.strictEqual(paypal.records.orders.size, 1)
    const other = await link(us)
    paypal.faults.failNext = 1
    assert.deepInclude(await page(other.url, "POST"), { status: 500 })
    assert.strictEqual((await page(`${publicBaseUrl}/pay/pay_01KAJ300000000000000000000`)).status, 404)
    assert.strictEqual((await page(`${publicBaseUrl}/pay/nothing`)).status, 404)
    const wrong = { credentials: { ...payPalClient, clientSecret: "w".repeat(40) } }
    assert.strictEqual((await call(us, "PUT", "/paypal", wrong)).status, 400)
    assert.strictEqual((await call(us, "DELETE", "/paypal")).status, 200)
    assert.strictEqual(paypal.records.webhooks.size, 0)
    assert.include((await page(other.url, "POST")).text, "Ask whoever sent you the link")
  })

  story(
    "is pending while PayPal checks the payment, cannot be paid twice meanwhile, and is paid when PayPal says so",
    async (world) => {
      const { paypal, connect, tenant, link, page, agree, state, events } = world
      const us = await tenant()
      await connect(us)
      paypal.records.reviews = true
      const made = await link(us)
      const back = await agree(made.url)
      assert.include((await page(back)).text, "is being checked")
      assert.deepInclude(await state(us, made.id), { status: "pending", paidAmount: null })
      assert.notInclude((await page(made.url)).text, "Pay with PayPal")
      assert.notInclude((await page(made.url, "POST")).text, "Pay with PayPal")
      assert.strictEqual(paypal.records.orders.size, 1)
      const [{ id: order }] = [...paypal.records.orders.values()]
      await working(
        world.worker,
        Effect.gen(function* () {
          yield* Effect.promise(() => paypal.told(paypal.records.release(paypal.records.captureOf(order).id)))
          yield* eventually("it is paid", async () => (await state(us, made.id)).status === "paid")
        })
      )
      assert.strictEqual((await events(us)).filter((type) => type === "payment.completed").length, 1)
    }
  )
})
