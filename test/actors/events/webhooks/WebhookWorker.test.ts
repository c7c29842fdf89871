/** Sending outgoing webhooks on real stores: once per endpoint with several nodes, no endpoint delays another, and no node's death loses one. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { EventLog, logStart } from "../../../../src/domain/events/EventFeed.ts"
import { type WebhookAnswer, WebhookEndpoints, WebhookQueue } from "../../../../src/domain/events/Webhook.ts"
import { retryDelaysMs, verdict } from "../../../../src/domain/events/WebhookVerdict.ts"
import { Organizations } from "../../../../src/domain/people/organizations/Organization.ts"
import { tenant as asTenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { eventually } from "../../../support/eventually.ts"
import { playsInRealTime } from "../../../support/Slowness.ts"
import { logSettled } from "../../../support/settled.ts"
import { startWebhooks, type Webhooks } from "../../../support/webhooks.ts"

playsInRealTime()

const story = <E>(name: string, tell: (webhooks: Webhooks) => Effect.Effect<void, E, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(Effect.flatMap(startWebhooks(), tell)))

const day = 86_400_000
const down: WebhookAnswer = { _tag: "Answered", status: 500, retryAfterMs: undefined, body: "" }

describe("outgoing webhooks", () => {
  story("reach each endpoint that wants them once, with two nodes at work", (webhooks) =>
    Effect.gen(function* () {
      const { tenant, endpoint, contact, receiver, worker, run } = webhooks
      const us = yield* Effect.promise(() => tenant())
      const ids = yield* Effect.promise(async () => [
        await endpoint(us, "/all"),
        await endpoint(us, "/created", { events: ["contact.created"] }),
        await endpoint(us, "/calls", { events: ["call.*"] })
      ])
      yield* worker
      yield* worker
      yield* Effect.promise(() => Promise.all(Array.from({ length: 60 }, () => contact(us))))
      yield* eventually("every event to both", () => receiver.received.length >= 120)
      yield* Effect.sleep("500 millis")
      const logged = yield* Effect.promise(() =>
        run(Effect.flatMap(EventLog, (log) => log.read(us.organizationId, logStart, 500)))
      )
      const order = logged.events.map(({ id }) => id)
      for (const path of ["/all", "/created"]) {
        const came = receiver.to(path).map(({ headers }) => headers["webhook-id"])
        assert.lengthOf(came, 60)
        assert.sameMembers(came, order)
      }
      assert.lengthOf(receiver.to("/calls"), 0)
      // The position moved for the third endpoint too: no event is looked at twice.
      const behind = yield* Effect.promise(() =>
        run(Effect.flatMap(WebhookQueue, (queue) => queue.behind([us.organizationId])))
      )
      assert.deepStrictEqual(behind, [])
      assert.lengthOf(ids, 3)
    })
  )

  story("do not wait for a slow or dead endpoint of the same or another organization", (webhooks) =>
    Effect.gen(function* () {
      const { tenant, endpoint, contact, receiver, worker } = webhooks
      const [us, them] = yield* Effect.promise(async () => [await tenant(), await tenant()] as const)
      yield* Effect.promise(async () => {
        await endpoint(them, "/hangs")
        await endpoint(us, "/hangs-too")
        await endpoint(us, "/well")
      })
      receiver.behave("/hangs", { kind: "hang" })
      receiver.behave("/hangs-too", { kind: "hang" })
      yield* worker
      yield* Effect.promise(async () => {
        for (let i = 0; i < 30; i++) await Promise.all([contact(us), contact(them)])
      })
      const began = performance.now()
      yield* eventually("the healthy one got everything", () => receiver.to("/well").length === 30)
      // With the time-out of 1 s in a row it would take 60 s.
      assert.isBelow(performance.now() - began, 10_000)
      assert.isAtMost(receiver.to("/hangs-too").length, 30)
    })
  )

  story("reach all other endpoints while one endpoint's secret or one event cannot be read", (webhooks) =>
    Effect.gen(function* () {
      const { tenant, endpoint, contact, receiver, worker, run } = webhooks
      const [them, us] = yield* Effect.promise(async () => [await tenant(), await tenant()] as const)
      yield* Effect.promise(async () => {
        await endpoint(them, "/sealed")
        await endpoint(us, "/well")
        await contact(them)
        for (const name of ["unreadable", "readable"]) await contact(us, name)
      })
      yield* Effect.promise(() =>
        run(
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            yield* asTenant(them.organizationId)(sql`UPDATE webhook_endpoints SET secret = 'sealed with a lost key'`)
            yield* logSettled
            const queue = yield* WebhookQueue
            // The delivery of the other organization is due first.
            for (const { organizationId } of [them, us]) yield* queue.fanOut(organizationId, false, Date.now() - 1_000)
            yield* asTenant(us.organizationId)(
              sql`UPDATE events SET type = 'of.a.later.version' WHERE data -> 'contact' ->> 'name' = 'unreadable'`
            )
          })
        )
      )
      yield* worker
      yield* eventually("the others' came", () => receiver.to("/well").length === 1)
      assert.strictEqual(JSON.parse(receiver.to("/well")[0].body).data.contact.name, "readable")
      assert.lengthOf(receiver.to("/sealed"), 0)
      yield* Effect.promise(() =>
        run(
          Effect.flatMap(SqlClient.SqlClient, (sql) =>
            asTenant(us.organizationId)(sql`UPDATE events SET type = 'contact.created'`)
          )
        )
      )
      yield* eventually("it can be read now", () => receiver.to("/well").length === 2)
    })
  )

  story("survive the death of a node, and carry the same id when they are sent again", (webhooks) =>
    Effect.gen(function* () {
      const { tenant, endpoint, contact, receiver, worker } = webhooks
      const us = yield* Effect.promise(() => tenant())
      yield* Effect.promise(() => endpoint(us, "/hook"))
      receiver.behave("/hook", { kind: "hang" }, { kind: "answer", status: 200 })
      const first = yield* Scope.make()
      yield* Scope.provide(worker, first)
      yield* Effect.promise(() => contact(us))
      yield* eventually("the first node asked", () => receiver.to("/hook").length === 1)
      // In the middle of the request: nothing is written down.
      yield* Scope.close(first, Exit.void)
      yield* worker
      yield* eventually("the second node took over", () => receiver.to("/hook").length === 2)
      const [one, two] = receiver.to("/hook")
      assert.strictEqual(one.headers["webhook-id"], two.headers["webhook-id"])
      assert.strictEqual(one.body, two.body)
    })
  )

  story("are sent for events that happened while no node was running", (webhooks) =>
    Effect.gen(function* () {
      const { tenant, endpoint, contact, receiver, worker } = webhooks
      const us = yield* Effect.promise(() => tenant())
      yield* Effect.promise(() => endpoint(us, "/hook"))
      yield* Effect.promise(async () => {
        for (let i = 0; i < 5; i++) await contact(us)
      })
      yield* worker
      yield* eventually("all five", () => receiver.to("/hook").length === 5)
    })
  )

  story("stop at once after a 410, of which the other endpoints and the audit log are told", (webhooks) =>
    Effect.gen(function* () {
      const { tenant, endpoint, contact, receiver, worker, call } = webhooks
      const us = yield* Effect.promise(() => tenant())
      const { id } = yield* Effect.promise(() => endpoint(us, "/gone"))
      yield* Effect.promise(() => endpoint(us, "/watch", { events: ["webhook.*"] }))
      receiver.behave("/gone", { kind: "answer", status: 410 })
      yield* worker
      yield* Effect.promise(() => contact(us))
      yield* eventually("the others are told", () => receiver.to("/watch").length === 1)
      const told = JSON.parse(receiver.to("/watch")[0].body)
      assert.strictEqual(told.type, "webhook.disabled")
      const { body } = yield* Effect.promise(() => call(us, "GET", `/${id}`))
      assert.deepInclude(body, { enabled: false, disabledReason: "The endpoint answered 410 (Gone)." })
      assert.deepStrictEqual(told.data.webhook, body)
      const log = yield* Effect.promise(() => call(us, "GET", `/api/audit-log?action=webhook.disabled`))
      assert.deepInclude((log.body.data as ReadonlyArray<object>)[0], {
        subjectId: id,
        actor: { type: "system", id: null },
        after: { enabled: false, reason: "The endpoint answered 410 (Gone)." }
      })
      yield* Effect.promise(() => contact(us))
      yield* Effect.sleep("500 millis")
      assert.lengthOf(receiver.to("/gone"), 1)
    })
  )

  story("stop on the Free plan, and the events of that time are not sent later", (webhooks) =>
    Effect.gen(function* () {
      const { tenant, endpoint, contact, receiver, worker, run } = webhooks
      const us = yield* Effect.promise(() => tenant())
      yield* Effect.promise(() => endpoint(us, "/hook"))
      const move = (plan: string) =>
        Effect.promise(() =>
          run(
            Effect.gen(function* () {
              const sql = yield* SqlClient.SqlClient
              yield* asTenant(us.organizationId)(
                sql`UPDATE organizations SET plan = ${plan} WHERE id = ${us.organizationId}`
              )
              assert.strictEqual((yield* (yield* Organizations).find(us.organizationId))?.plan, plan)
            })
          )
        )
      yield* move("FREE")
      yield* worker
      yield* Effect.promise(() => contact(us, "unseen"))
      const behind = () => run(Effect.flatMap(WebhookQueue, (queue) => queue.behind([us.organizationId])))
      yield* Effect.promise(() => run(logSettled))
      yield* eventually("it was passed over", async () => (await behind()).length === 0)
      yield* move("STARTER")
      yield* Effect.promise(() => contact(us, "seen"))
      yield* eventually("it is told again", () => receiver.to("/hook").length > 0)
      yield* Effect.sleep("300 millis")
      assert.deepStrictEqual(
        receiver.to("/hook").map(({ body }) => JSON.parse(body).data.contact.name),
        ["seen"]
      )
    })
  )

  story(
    "are tried for more than a day by the schedule, and an endpoint that fails for five days is switched off",
    (webhooks) =>
      Effect.gen(function* () {
        const { tenant, endpoint, contact, run } = webhooks
        const us = yield* Effect.promise(() => tenant())
        const { id } = yield* Effect.promise(() => endpoint(us, "/hook"))
        yield* Effect.promise(() => contact(us))
        yield* Effect.promise(() =>
          run(
            Effect.gen(function* () {
              const queue = yield* WebhookQueue
              const org = us.organizationId
              let now = Date.now()
              const begun = now
              const claim = () => queue.claim(org, id, now, 60_000, { healthy: 4, failing: 1 })
              /** Lets every due delivery fail; returns how many there were. */
              const failDue = Effect.fnUntraced(function* () {
                const claimed = yield* claim()
                for (const delivery of claimed?.deliveries ?? []) {
                  const { failingSince } = claimed ?? { failingSince: null }
                  const { attempts } = delivery
                  const facts = { answer: down, durationMs: 1, attempts, failingSince, now, random: 0 }
                  yield* queue.settle({ organizationId: org, endpointId: id }, delivery, verdict(facts), now)
                }
                return claimed?.deliveries.length ?? 0
              })
              const fanOut = () => Effect.andThen(logSettled, queue.fanOut(org, false, now))
              yield* fanOut()
              yield* fanOut()
              assert.strictEqual(yield* failDue(), 1)
              for (const pause of retryDelaysMs) {
                now += pause - 1
                assert.deepStrictEqual(yield* queue.due(now, [], 10), [])
                assert.isUndefined(yield* claim())
                now += 1
                assert.deepStrictEqual(yield* queue.due(now, [], 10), [{ organizationId: org, endpointId: id }])
                assert.strictEqual(yield* failDue(), 1)
              }
              now += day
              assert.isUndefined(yield* claim(), "it was given up")

              const endpoints = yield* WebhookEndpoints
              const shown = () => Effect.map(endpoints.find(org, id), (one) => [one?.enabled, one?.failingSince])
              assert.deepStrictEqual(yield* shown(), [true, new Date(begun).toISOString()])
              // Two more, four days and 23 hours, and five days after the first failure.
              yield* Effect.promise(() => contact(us))
              yield* Effect.promise(() => contact(us))
              now = begun + 5 * day - 1
              yield* fanOut()
              assert.strictEqual(yield* failDue(), 1, "one at a time while it fails")
              assert.deepStrictEqual((yield* shown())[0], true)
              now += 1
              assert.strictEqual(yield* failDue(), 1)
              assert.deepStrictEqual((yield* shown())[0], false)
              const sql = yield* SqlClient.SqlClient
              const rows = yield* asTenant(org)(
                sql<{
                  status: string
                }>`SELECT status FROM webhook_deliveries WHERE endpoint_id = ${id} ORDER BY event_id`
              )
              assert.sameMembers(
                rows.map(({ status }) => status),
                ["failed", "discarded", "failed"]
              )
              assert.deepStrictEqual(yield* queue.due(now + 30 * day, [], 10), [])
            })
          )
        )
      })
  )
})
