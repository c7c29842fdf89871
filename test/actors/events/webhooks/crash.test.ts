/** Whoever sends webhooks is killed between any two of its steps: each event arrives, under the one id it has in every attempt. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { start } from "../../../../simulators/webhook-receiver/WebhookReceiver.ts"
import { WebhookDeliveries, WebhookEndpoints } from "../../../../src/domain/events/Webhook.ts"
import { newWebhookSecret, signedHeaders } from "../../../../src/domain/events/WebhookSignature.ts"
import { Contacts } from "../../../../src/domain/people/contacts/Contact.ts"
import { eventsOf } from "../../../support/conversations.ts"
import { eventually } from "../../../support/eventually.ts"
import { killable, startWithin } from "../../../support/killed.ts"
import { type Step, startSender } from "../../../support/senderService.ts"
import { newStores, storesOf, variablesOf } from "../../../support/stores.ts"
import { newOrganization } from "../../../support/tenants.ts"

const path = "/hooks"

const customer = Effect.gen(function* () {
  const receiver = yield* Effect.acquireRelease(
    Effect.promise(() => start()),
    ({ close }) => Effect.promise(close)
  )
  const environment = yield* newStores
  const secret = newWebhookSecret()
  const { organizationId, endpointId } = yield* Effect.gen(function* () {
    const { id: organizationId } = yield* newOrganization()
    const input = { url: receiver.url + path, events: ["contact.*" as const] }
    const made = yield* (yield* WebhookEndpoints).create(organizationId, input, secret, Date.now())
    return { organizationId, endpointId: made?.id ?? assert.fail() }
  }).pipe(Effect.provide(storesOf(environment)))

  const happens = Effect.gen(function* () {
    const contacts = yield* Contacts
    for (const phone of ["+14155550101", "+14155550102", "+14155550103"])
      yield* contacts.create(organizationId, { phone }, "key_test")
  }).pipe(Effect.provide(storesOf(environment)))

  /** Each event has one delivery, which arrived; what was sent twice was the same, signed, under the same id. */
  const arrived = Effect.gen(function* () {
    const deliveries = yield* WebhookDeliveries
    const shown = deliveries.list(organizationId, endpointId, {}, 1, 100)
    yield* eventually(
      "everything is delivered",
      Effect.map(shown, ({ data }) => data.length === 3 && data.every(({ status }) => status === "delivered")),
      60
    )
    const { data } = yield* shown
    assert.lengthOf(yield* eventsOf(organizationId, "contact."), 3)
    const bodies = new Map<string, string>()
    for (const { headers, body } of receiver.to(path)) {
      const id = headers["webhook-id"]
      assert.strictEqual(bodies.get(id) ?? body, body)
      bodies.set(id, body)
      const signed = signedHeaders([secret], id, body, Number(headers["webhook-timestamp"]) * 1_000)
      assert.strictEqual(headers["webhook-signature"], signed["webhook-signature"])
    }
    assert.sameMembers(
      [...bodies.keys()],
      data.map(({ eventId }) => eventId)
    )
  }).pipe(Effect.provide(storesOf(environment)))
  return { receiver, environment, happens, arrived }
})

/** `mostTwice`: how many requests may come again. */
const died = (
  what: string,
  { freezeAt = "", hangs = false, mostTwice }: { freezeAt?: Step | ""; hangs?: boolean; mostTwice: number }
) =>
  it.live(
    what,
    () =>
      Effect.gen(function* () {
        const { receiver, environment, happens, arrived } = yield* customer
        if (hangs) receiver.behave(path, { kind: "hang" })
        const child = yield* killable("senderProcess.ts", { ...variablesOf(environment), FREEZE_AT: freezeAt })
        yield* eventually("the process runs", async () => child.said("running") || undefined, startWithin)
        yield* happens
        const reached = () => (hangs ? receiver.to(path).length === 3 : child.said("frozen"))
        yield* eventually("the step is reached", async () => reached() || undefined, startWithin)
        yield* Effect.promise(child.kill)
        receiver.behave(path, { kind: "answer", status: 200 })
        yield* startSender(environment)
        yield* arrived
        assert.isAtMost(receiver.to(path).length, 3 + mostTwice)
      }).pipe(Effect.scoped),
    240_000
  )

describe("a sender of webhooks that is killed", () => {
  died("before it makes deliveries of the events", { freezeAt: "noticed", mostTwice: 0 })
  died("between making deliveries and claiming them", { freezeAt: "fannedOut", mostTwice: 0 })
  died("between claiming deliveries and sending them", { freezeAt: "claimed", mostTwice: 0 })
  died("while the customer's server reads and does not answer", { hangs: true, mostTwice: 3 })
  died("between the customer's answer and noting it", { freezeAt: "answered", mostTwice: 3 })
  died("when it has noted the answer", { freezeAt: "settled", mostTwice: 3 })
})
