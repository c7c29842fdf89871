/** The process that sends webhooks is killed between any two of its steps: each event still arrives, with the same id in every attempt. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { start, type WebhookReceiver } from "../../../../simulators/webhook-receiver/WebhookReceiver.ts"
import { WebhookDeliveries, WebhookEndpoints } from "../../../../src/domain/events/Webhook.ts"
import { newWebhookSecret, signedHeaders } from "../../../../src/domain/events/WebhookSignature.ts"
import { Contacts } from "../../../../src/domain/people/contacts/Contact.ts"
import { eventsOf } from "../../../support/conversations.ts"
import { eventually } from "../../../support/eventually.ts"
import { killable, startWithin } from "../../../support/killed.ts"
import { type Step, startSender } from "../../../support/senderService.ts"
import { newStores, storesOf, variablesOf, variablesOfAll } from "../../../support/stores.ts"
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

  /** Each event has one delivery, which arrived. A repeated request had the same body and id, and was signed. */
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

interface Death {
  /** The step at which the sender is frozen; undefined: the customer's server reads the request and does not answer. */
  readonly freezeAt: Step | undefined
  /** How many requests may be repeated at most. */
  readonly mostTwice: number
}

const deaths: Readonly<Record<string, Death>> = {
  "before it makes deliveries of the events": { freezeAt: "noticed", mostTwice: 0 },
  "between making deliveries and claiming them": { freezeAt: "fannedOut", mostTwice: 0 },
  "between claiming deliveries and sending them": { freezeAt: "claimed", mostTwice: 0 },
  "while the customer's server reads and does not answer": { freezeAt: undefined, mostTwice: 3 },
  "between the customer's answer and noting it": { freezeAt: "answered", mostTwice: 3 },
  "when it has noted the answer": { freezeAt: "settled", mostTwice: 3 }
}

const idsOf = (requests: ReturnType<WebhookReceiver["to"]>) =>
  new Set(requests.map(({ headers }) => headers["webhook-id"]))

/** Starts one process that sends for several customers, and kills it when it has reached the wanted step for each. Returns the customers. */
const killed = Effect.fnUntraced(function* (whats: ReadonlyArray<string>) {
  const customers = yield* Effect.forEach(whats, (what) => Effect.map(customer, (one) => ({ ...one, what })), {
    concurrency: 3
  })
  for (const { receiver, what } of customers)
    if (deaths[what].freezeAt === undefined) receiver.behave(path, { kind: "hang" })
  const child = yield* killable(
    "senderProcess.ts",
    variablesOfAll(
      customers.map(({ environment, what }) => ({
        ...variablesOf(environment),
        FREEZE_AT: deaths[what].freezeAt ?? ""
      }))
    )
  )
  yield* eventually("the process runs", async () => child.said("running") || undefined, startWithin)
  yield* Effect.forEach(customers, ({ happens }) => happens, { concurrency: 3 })
  for (const { receiver, what } of customers) {
    const { freezeAt } = deaths[what]
    const reached = () =>
      freezeAt === undefined ? idsOf(receiver.to(path)).size === 3 : child.said(`frozen at ${freezeAt}.`)
    yield* eventually(`the sender is ${what}`, async () => reached() || undefined, startWithin)
  }
  yield* Effect.promise(child.kill)
  return customers.map((one) => ({ ...one, before: one.receiver.to(path).length }))
})

type Left = Omit<Effect.Success<ReturnType<typeof killed>>[number], "what">

describe.concurrent("a sender of webhooks that is killed", () => {
  const scope = Scope.makeUnsafe()
  const left = new Map<string, Left>()
  beforeAll(async () => {
    const whats = Object.keys(deaths)
    // A sender that is not frozen goes on when its lease is over: it has a process of its own, which is killed as soon as it is at its step.
    const groups = [
      whats.filter((what) => deaths[what].freezeAt !== undefined),
      whats.filter((what) => deaths[what].freezeAt === undefined)
    ]
    const all = await Effect.runPromise(
      Scope.provide(Effect.forEach(groups, killed, { concurrency: "unbounded" }), scope)
    )
    for (const { what, ...one } of all.flat()) left.set(what, one)
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  for (const [what, { freezeAt, mostTwice }] of Object.entries(deaths))
    it.live(
      what,
      () =>
        Effect.gen(function* () {
          const { receiver, environment, arrived, before } = left.get(what) ?? assert.fail(what)
          receiver.behave(path, { kind: "answer", status: 200 })
          yield* startSender(environment, 60_000)
          yield* arrived
          // A server that does not answer is asked again by the first process too, when a lease ends before that process is killed.
          const first = freezeAt === undefined ? Math.max(3, before) : 3
          assert.isAtMost(receiver.to(path).length, first + mostTwice)
        }).pipe(Effect.scoped),
      240_000
    )
})
