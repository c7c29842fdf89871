/** Payment links over REST, made at a simulated Stripe, and found paid by asking. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../../../support/eventually.ts"
import { playsInRealTime } from "../../../support/Slowness.ts"
import { startStripe, type WithStripe } from "../../../support/stripe.ts"

playsInRealTime()

const story = (name: string, tell: (world: WithStripe) => Promise<void>) =>
  it.live(name, () => Effect.scoped(Effect.flatMap(startStripe, (world) => Effect.promise(() => tell(world)))))

const due = "UPDATE payment_links SET ask_at = now() - interval '1 second'"

describe("a payment link", () => {
  story("needs a provider, a plan and a scope, and says which amount is wrong", async (world) => {
    const { tenant, links, connectStripe } = world
    const small = await tenant({ plan: "STARTER" })
    const input = { amount: "19.99", currency: "USD", description: "Order 2041" }
    assert.strictEqual((await links(small, "POST", "", input)).status, 403)
    const us = await tenant()
    const unconnected = await links(us, "POST", "", input)
    assert.strictEqual(unconnected.status, 400)
    assert.match(String(unconnected.body.error), /No payment provider is connected/)
    const connection = await connectStripe(us)
    assert.deepInclude(connection, { account: { id: "acct_1Parley", name: "Maple Books (test mode)" } })
    const wrong: ReadonlyArray<readonly [object, RegExp]> = [
      [{ amount: "19.999" }, /at most 2 decimals, like 19.99/],
      [{ amount: "0.00" }, /more than 0/],
      [{ amount: "-1" }, /must be a decimal number/],
      [{ amount: "1e3" }, /must be a decimal number/],
      [{ amount: "19.99", currency: "JPY" }, /JPY has no decimals, like 1999/],
      [{ amount: "1.001", currency: "KWD" }, /Stripe does not take KWD in so small steps/],
      [{ expiresAt: "2020-01-01T00:00:00Z" }, /expiresAt is invalid/],
      [{ contactId: "cnt_01KAJ300000000000000000000" }, /There is no contact/],
      [{ orderId: "ord_01KAJ300000000000000000000" }, /There is no order/],
      [{ amount: "0.10" }, /at least 0.50 USD/]
    ]
    for (const [change, sentence] of wrong) {
      const { status, body } = await links(us, "POST", "", { ...input, ...change })
      assert.strictEqual(status, 400, JSON.stringify([change, body]))
      assert.match(String(body.error), sentence)
    }
    assert.deepStrictEqual(await world.rows(us, "SELECT id FROM payment_links"), [])
  })

  story("asks for the amount to the last digit, in currencies with no and with three decimals", async (world) => {
    const us = await world.tenant()
    await world.connectStripe(us)
    for (const [amount, currency, asked] of [
      ["19.99", "USD", "unit_amount%5D=1999"],
      ["20", "USD", "unit_amount%5D=2000"],
      ["2499", "JPY", "unit_amount%5D=2499"],
      ["2.490", "KWD", "unit_amount%5D=2490"],
      ["5000", "ISK", "unit_amount%5D=500000"]
    ]) {
      await world.link(us, { amount, currency })
      assert.include(world.stripe.received.at(-1)?.body, asked)
    }
  })

  story("is found paid by asking, exactly once, and pays its order", async (world) => {
    const { tenant, connectStripe, call, links, link, rows, stripe, contact, events } = world
    const us = await tenant({ plan: "PREMIUM" })
    await connectStripe(us)
    const { id: contactId } = await contact(us, "Asha Rao")
    const ordered = {
      number: "2041",
      currency: "USD",
      contactId,
      lines: [{ name: "Atlas", quantity: 1, unitPrice: 1_999 }]
    }
    const order = (await call(us, "POST", "/api/orders", ordered)).body
    const made = await link(us, { amount: undefined, currency: undefined, description: undefined, orderId: order.id })
    assert.strictEqual(made.live, false)
    assert.deepInclude(made, {
      amount: "19.99",
      currency: "USD",
      description: "Order 2041",
      contactId,
      status: "created"
    })
    assert.strictEqual((await fetch(String(made.url), { method: "POST" })).status, 200)
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          yield* world.paymentWorker
          yield* Effect.promise(() => rows(us, due))
          yield* eventually("it is paid", async () => (await links(us, "GET", `/${made.id}`)).body.status === "paid")
          yield* Effect.promise(() => rows(us, due))
          yield* eventually(
            "it was asked again",
            async () => (await rows(us, `${due} WHERE false RETURNING 1`)).length === 0
          )
        })
      )
    )
    const paid = (await links(us, "GET", `/${made.id}`)).body
    assert.deepInclude(paid, { paidAmount: "19.99", refundedAmount: "0.00" })
    assert.deepInclude((await call(us, "GET", `/api/orders/${order.id}`)).body, { status: "paid" })
    assert.sameMembers(await events(us), [
      "order.created",
      "payment.created",
      "order.updated",
      "order.paid",
      "payment.completed"
    ])
    const [session] = stripe.records.sessionsOf([...stripe.records.links.keys()][0])
    assert.strictEqual(session.payment_status, "paid")
    const listed = (await links(us, "GET", `?orderId=${order.id}&status=paid`)).body
    assert.deepInclude(listed, { total: 1 })
    assert.strictEqual((await links(us, "POST", `/${made.id}/cancel`)).status, 409)
  })

  story("that is canceled or over cannot be paid any more, also by those who have its page open", async (world) => {
    const { tenant, connectStripe, links, link, rows, stripe, events } = world
    const us = await tenant()
    await connectStripe(us)
    const made = await link(us)
    await fetch(String(made.url))
    const canceled = await links(us, "POST", `/${made.id}/cancel`)
    assert.deepInclude(canceled.body, { status: "canceled" })
    assert.deepStrictEqual(
      [...stripe.records.sessions.values()].map(({ status }) => status),
      ["expired"]
    )
    assert.strictEqual((await fetch(String(made.url), { method: "POST" })).status, 500)
    assert.strictEqual((await links(us, "POST", `/${made.id}/cancel`)).status, 200)
    const other = await link(us)
    await rows(
      us,
      `UPDATE payment_links SET expires_at = now() - interval '1 second', ask_at = now() WHERE id = '${other.id}'`
    )
    await Effect.runPromise(
      Effect.scoped(
        Effect.andThen(
          world.paymentWorker,
          eventually("it has expired", async () => (await links(us, "GET", `/${other.id}`)).body.status === "expired")
        )
      )
    )
    assert.strictEqual((await fetch(String(other.url), { method: "POST" })).status, 500)
    assert.deepStrictEqual(await events(us), [
      "payment.created",
      "payment.canceled",
      "payment.created",
      "payment.expired"
    ])
  })

  story("is made once for one Idempotency-Key, also when Stripe's first answer is lost", async (world) => {
    const us = await world.tenant()
    await world.connectStripe(us)
    const { stripe } = world
    const send = () =>
      fetch(`${world.world.base}/api/payment-links`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${us.key}`,
          "content-type": "application/json",
          "idempotency-key": "order-2041"
        },
        body: JSON.stringify({ amount: "19.99", currency: "USD", description: "Order 2041" })
      })
    stripe.faults.failNext = 1
    assert.strictEqual((await send()).status, 500)
    const [first, second] = [await send(), await send()]
    assert.deepStrictEqual([first.status, second.status], [201, 201])
    assert.strictEqual(await first.text(), await second.text())
    assert.strictEqual(stripe.records.links.size, 1)
    assert.lengthOf(await world.rows(us, "SELECT id FROM payment_links"), 1)
  })

  story("of one organization is invisible to others", async (world) => {
    const [us, them] = [await world.tenant(), await world.tenant()]
    await world.connectStripe(us)
    const made = await world.link(us)
    assert.strictEqual((await world.links(them, "GET", `/${made.id}`)).status, 404)
    assert.strictEqual((await world.links(them, "POST", `/${made.id}/cancel`)).status, 404)
    assert.deepInclude((await world.links(them, "GET")).body, { total: 0 })
  })
})

describe("the settings of payments", () => {
  story("say which provider there is and whether money moves, and name a default", async (world) => {
    const us = await world.tenant()
    const none = await world.call(us, "GET", "/api/payment-settings")
    assert.deepStrictEqual(none.body, { provider: null, template: null, connected: [] })
    await world.connectStripe(us)
    const template = { name: "payment_link", language: "en_US" }
    const { body } = await world.call(us, "PUT", "/api/payment-settings", { provider: "stripe", template })
    const connected = [{ provider: "stripe", title: "Stripe", account: "Maple Books (test mode)", live: false }]
    assert.deepStrictEqual(body, { provider: "stripe", template, connected })
  })
})
