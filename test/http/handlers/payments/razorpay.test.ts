/** Payment links at a simulated Razorpay: made once, paid, told by webhooks that come twice and out of order, and found by asking. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { razorpayKey, start } from "../../../../simulators/payments/Razorpay.ts"
import { eventually } from "../../../support/eventually.ts"
import { startPaymentsWith } from "../../../support/payments.ts"
import { playsInRealTime } from "../../../support/Slowness.ts"

playsInRealTime()

const webhookSecret = "a-secret-of-ours"
const startRazorpay = Effect.gen(function* () {
  const razorpay = yield* Effect.acquireRelease(
    Effect.promise(() => start()),
    ({ close }) => Effect.promise(close)
  )
  const payments = yield* startPaymentsWith({ razorpay: razorpay.url })
  type Tenant = Awaited<ReturnType<typeof payments.tenant>>
  /** Connects, and registers the webhook as a person would. */
  const connect = async (as: Tenant) => {
    const connection = await payments.connectProvider(as, "razorpay", {
      credentials: { ...razorpayKey, webhookSecret }
    })
    razorpay.hooks.push({ url: payments.hookOf(connection), secret: webhookSecret })
    return connection
  }
  return { ...payments, razorpay, connect }
})
type World = Effect.Success<typeof startRazorpay>

const story = (name: string, tell: (world: World) => Promise<void>) =>
  it.live(name, () => Effect.scoped(Effect.flatMap(startRazorpay, (world) => Effect.promise(() => tell(world)))))

const working = (layer: World["worker"] | World["paymentWorker"], during: Effect.Effect<unknown>) =>
  Effect.runPromise(Effect.scoped(Effect.andThen(layer as World["worker"], during)))

const rupees = { amount: "1200.00", currency: "INR", description: "Order 7" }

describe("a payment link at Razorpay", () => {
  story(
    "is paid, given back and disputed as its webhooks say, whatever comes twice or in another order",
    async (world) => {
      const { razorpay, connect, tenant, link, links, state, events } = world
      const us = await tenant()
      const connection = await connect(us)
      assert.deepInclude(connection, { account: { id: razorpayKey.keyId, name: `${razorpayKey.keyId} (test mode)` } })
      const made = await link(us, rupees)
      assert.deepInclude(made, { provider: "razorpay", live: false, status: "created" })
      const [{ id }] = [...razorpay.records.links.values()]
      const bodies = [...razorpay.records.decline(id), ...razorpay.records.pay(id)].map((event) =>
        razorpay.eventOf(event)
      )
      const [, payment] = [...razorpay.records.payments.values()]
      bodies.push(
        ...[...razorpay.records.refund(payment.id, 20_000), ...razorpay.records.refund(payment.id, 30_000)].map(
          (event) => razorpay.eventOf(event)
        ),
        ...razorpay.records.dispute(payment.id, "created").map((event) => razorpay.eventOf(event)),
        ...razorpay.records.dispute(payment.id, "won").map((event) => razorpay.eventOf(event))
      )
      await working(
        world.worker,
        Effect.gen(function* () {
          for (const body of [...bodies].reverse()) yield* Effect.promise(() => razorpay.post(body))
          for (const body of bodies) yield* Effect.promise(() => razorpay.post(body))
          yield* eventually("all is told", async () => {
            const { status, refundedAmount, dispute } = await state(us, made.id)
            return status === "partially_refunded" && refundedAmount === "500.00" && dispute === "won"
          })
        })
      )
      assert.deepInclude(await state(us, made.id), { paidAmount: "1200.00" })
      const told = await events(us)
      assert.strictEqual(told.filter((type) => type === "payment.completed").length, 1)
      assert.strictEqual((await links(us, "POST", `/${made.id}/cancel`)).status, 409)
    }
  )

  story("is found paid by asking, and closed at its end", async (world) => {
    const { connect, tenant, link, links, rows, razorpay, state } = world
    const us = await tenant()
    await connect(us)
    razorpay.hooks.length = 0
    const [paid, over, canceled] = [await link(us, rupees), await link(us, rupees), await link(us, rupees)]
    assert.strictEqual((await fetch(String(paid.url), { method: "POST" })).status, 200)
    assert.deepInclude((await links(us, "POST", `/${canceled.id}/cancel`)).body, { status: "canceled" })
    assert.strictEqual((await links(us, "POST", `/${canceled.id}/cancel`)).status, 200)
    await rows(us, `UPDATE payment_links SET expires_at = now() - interval '1 second' WHERE id = '${over.id}'`)
    await rows(us, "UPDATE payment_links SET ask_at = now() - interval '1 second'")
    await working(
      world.paymentWorker,
      eventually("both are known", async () => {
        const [one, other] = [await state(us, paid.id), await state(us, over.id)]
        return one.status === "paid" && other.status === "expired"
      })
    )
    assert.deepStrictEqual(
      [...razorpay.records.links.values()].map(({ status }) => status),
      ["paid", "cancelled", "cancelled"]
    )
  })

  story("is made once, also when Razorpay's first answer is lost, and says what Razorpay refuses", async (world) => {
    const { connect, tenant, razorpay, links } = world
    const us = await tenant()
    await connect(us)
    const send = () =>
      fetch(`${world.world.base}/api/payment-links`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${us.key}`,
          "content-type": "application/json",
          "idempotency-key": "order-7"
        },
        body: JSON.stringify(rupees)
      })
    razorpay.faults.loseNext = 1
    assert.strictEqual((await send()).status, 500)
    assert.strictEqual((await send()).status, 201)
    assert.strictEqual(razorpay.records.links.size, 1)
    for (const [change, sentence] of [
      [{ amount: "0.50" }, /atleast INR 1.00/],
      [{ amount: "2.499", currency: "KWD" }, /in steps of 0.010/]
    ] as const) {
      const { status, body } = await links(us, "POST", "", { ...rupees, ...change })
      assert.strictEqual(status, 400)
      assert.match(String(body.error), sentence)
    }
    const wrong = { credentials: { ...razorpayKey, keySecret: "wrong" } }
    const { status, body } = await world.call(us, "PUT", "/razorpay", wrong)
    assert.strictEqual(status, 400, JSON.stringify(body))
    assert.match(String(body.error), /refuses the key/)
  })
})
