/** Running broadcasts on a real database: each recipient gets exactly one message, whether a process dies or the broadcast is paused. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Audience } from "../../../../src/domain/messaging/broadcasts/Audience.ts"
import { type Broadcast, Broadcasts } from "../../../../src/domain/messaging/broadcasts/Broadcast.ts"
import {
  type BroadcastCounts,
  type CountRow,
  countsOf
} from "../../../../src/domain/messaging/broadcasts/BroadcastCounts.ts"
import { BroadcastQueue } from "../../../../src/domain/messaging/broadcasts/BroadcastQueue.ts"
import { makeManageBroadcasts } from "../../../../src/domain/messaging/broadcasts/ManageBroadcasts.ts"
import { Messages } from "../../../../src/domain/messaging/conversations/Message.ts"
import { Templates } from "../../../../src/domain/messaging/templates/Templates.ts"
import { Operation } from "../../../../src/domain/people/access/Idempotency.ts"
import { Contacts } from "../../../../src/domain/people/contacts/Contact.ts"
import { Organizations, type Plan } from "../../../../src/domain/people/organizations/Organization.ts"
import * as Cluster from "../../../../src/integrations/cluster/Cluster.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { freePort } from "../../../../src/integrations/web/FreePort.ts"
import { broadcastWorker } from "../../../support/broadcasting.ts"
import { template } from "../../../support/channel.ts"
import { balanced } from "../../../support/cluster.ts"
import { eventually } from "../../../support/eventually.ts"
import { playsInRealTime } from "../../../support/Slowness.ts"
import { newStores, type StoresEnvironment, storesOf, variablesOf } from "../../../support/stores.ts"
import { newOrganization } from "../../../support/tenants.ts"

playsInRealTime()

const greeting = template({
  name: "greeting",
  components: [{ type: "BODY", text: "Hello {{1}}." }]
})
const components = [{ type: "body", parameters: [{ type: "text", text: "{{firstName|there}}" }] }]
const everybody: Audience = { all: true }
/** An organization with this policy has each message stored by the actor of its conversation. */
const slaPolicy = { firstResponseMinutes: 30, resolutionMinutes: 60, businessHoursOnly: false }

const storesAt = (environment: StoresEnvironment) => storesOf(environment, 8)

const makeStores = Effect.gen(function* () {
  const environment = yield* newStores
  return { environment, stores: yield* Layer.build(storesAt(environment)) }
})

/** An organization with `people` contacts that have opted in. */
const openShop = Effect.fnUntraced(function* (
  { environment, stores }: Effect.Success<typeof makeStores>,
  people: number,
  plan: Plan
) {
  const run = <A, E>(effect: Effect.Effect<A, E, Layer.Success<ReturnType<typeof storesAt>>>): Effect.Effect<A, E> =>
    Effect.provide(effect, stores)
  const { id: organizationId } = yield* run(newOrganization({ plan }))
  const sql = yield* run(SqlClient.SqlClient)
  const asTenant = <A, E>(effect: Effect.Effect<A, E>) => run(tenant(organizationId)(effect))
  yield* run(Effect.flatMap(Templates, (templates) => templates.replace(organizationId, [greeting], Date.now())))
  yield* asTenant(sql`INSERT INTO contacts (organization_id, id, phone, name, opted_in, tags, created_at)
    SELECT ${organizationId}::text, 'cnt_' || n, '+1415555' || (1000 + n), 'Person ' || n, true, ARRAY['t' || n % 2],
      timestamptz '2026-01-01' + n * interval '1 second' FROM generate_series(1, ${people}::int) n`)

  const manage = yield* run(makeManageBroadcasts)
  const draft = { name: "Diwali", templateName: "greeting", language: "en_US", components, audience: everybody }
  const create = (changes: Partial<typeof draft> & { readonly scheduledAt?: number } = {}) =>
    manage.create(organizationId, { ...draft, ...changes }, "key_test")
  const act = (id: string, action: "start" | "pause" | "resume" | "cancel") => manage.act(organizationId, id, action)
  const broadcasts = yield* run(Broadcasts)
  const queue = yield* run(BroadcastQueue)
  const state = (id: string) =>
    Effect.map(broadcasts.find(organizationId, id), (found) => found ?? assert.fail("there is no such broadcast"))
  /** The stored messages, ordered by contact. */
  const messages = Effect.map(
    asTenant(
      sql<{ contactId: string; id: string; text: string }>`SELECT v.contact_id, m.id,
        m.content -> 'components' -> 0 -> 'parameters' -> 0 ->> 'text' AS text FROM messages m
        JOIN conversations v ON v.organization_id = m.organization_id AND v.id = m.conversation_id`
    ),
    (rows) => [...rows]
  )
  const wait = (what: string, id: string, done: (broadcast: Broadcast) => boolean) =>
    eventually(
      what,
      async () => {
        const now = await Effect.runPromise(state(id))
        addsUp(now.counts)
        return done(now) ? now : undefined
      },
      60
    )
  /** Stores a status that the channel reports for a message. */
  const report = (messageId: string, status: "sent" | "delivered" | "read") =>
    Effect.flatMap(run(Messages), (all) =>
      all.report(
        organizationId,
        { channelMessageId: `wamid.${messageId}`, messageId },
        { status, at: new Date().toISOString() }
      )
    )
  /** The broadcast's counters agree with a count of its recipients. */
  const countsAreRight = Effect.fnUntraced(function* (id: string) {
    const rows = yield* asTenant(
      sql<CountRow>`SELECT status, CASE WHEN status = 'skipped' THEN reason ELSE '' END AS reason, count(*)::int AS count
        FROM broadcast_recipients WHERE broadcast_id = ${id} GROUP BY 1, 2`
    )
    assert.deepStrictEqual((yield* state(id)).counts, countsOf(rows))
  })
  const worker = (policy?: Parameters<typeof broadcastWorker>[0]) =>
    Layer.build(broadcastWorker(policy).pipe(Layer.provide(Layer.succeedContext(stores))))
  return {
    environment,
    organizationId,
    run,
    sql,
    asTenant,
    create,
    act,
    state,
    queue,
    messages,
    wait,
    report,
    countsAreRight,
    worker
  }
})

const makeShop = (people: number, plan: Plan = "PRO") =>
  Effect.flatMap(makeStores, (stores) => openShop(stores, people, plan))

const addsUp = ({ total, queued, unknown, sent, delivered, read, failed, skipped, skippedBy }: BroadcastCounts) => {
  assert.strictEqual(total, queued + unknown + sent + delivered + read + failed + skipped)
  assert.strictEqual(
    skipped,
    Object.values(skippedBy).reduce((sum, count) => sum + count, 0)
  )
}

const child = (environment: StoresEnvironment) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const process_ = spawn(process.execPath, [join(import.meta.dirname, "broadcastProcess.ts")], {
        env: { ...process.env, ...variablesOf(environment) },
        stdio: ["ignore", "pipe", "inherit"]
      })
      const ended = new Promise((done) => process_.once("exit", done))
      await new Promise((done) => process_.stdout.once("data", done))
      return {
        kill: async () => {
          process_.kill("SIGKILL")
          await ended
        }
      }
    }),
    ({ kill }) => Effect.promise(kill)
  )

describe("broadcasts", () => {
  it.live(
    "reach everybody exactly once when their processes are killed in the middle",
    () =>
      Effect.gen(function* () {
        const people = 300
        const shop = yield* makeShop(people)
        const { id } = yield* shop.create()
        const first = yield* child(shop.environment)
        yield* shop.act(id, "start")
        const stored = (least: number) =>
          eventually(
            `${least} messages`,
            async () => {
              const rows = await Effect.runPromise(shop.messages)
              return rows.length >= least ? rows.length : undefined
            },
            60
          )
        yield* stored(30)
        yield* Effect.promise(first.kill)
        const second = yield* child(shop.environment)
        const third = yield* child(shop.environment)
        yield* stored(120)
        yield* Effect.promise(second.kill)
        const after = yield* stored(121)
        assert.isBelow(after, people, "nothing was left to do: kill earlier")
        yield* stored(people)
        // Longer than any lease: the recipients that a dead process had claimed have been claimed again.
        yield* Effect.sleep("3 seconds")
        const rows = yield* shop.messages
        const done = yield* shop.state(id)
        assert.strictEqual(rows.length, people)
        assert.strictEqual(new Set(rows.map(({ contactId }) => contactId)).size, people)
        addsUp(done.counts)
        yield* Effect.forEach(rows, (row) => shop.report(row.id, "sent"), { concurrency: 4 })
        const completed = yield* shop.wait("it is completed", id, ({ status }) => status === "completed")
        assert.deepInclude(completed.counts, { total: people, sent: people, queued: 0, failed: 0, skipped: 0 })
        yield* shop.countsAreRight(id)
        const events = yield* shop.asTenant(
          shop.sql<{
            id: string
          }>`SELECT data -> 'broadcast' ->> 'id' AS id FROM events WHERE type = 'broadcast.completed'`
        )
        assert.deepStrictEqual(events, [{ id }])
        yield* Effect.promise(third.kill)
      }),
    240_000
  )

  it.live(
    "stop when they are paused, go on when they are resumed, and end when they are cancelled",
    () =>
      Effect.gen(function* () {
        // Enough for five seconds at this pace.
        const people = 400
        const shop = yield* makeShop(people)
        const { id } = yield* shop.create()
        yield* shop.worker({ perSecond: 80 })
        yield* shop.act(id, "start")
        yield* shop.wait("it has begun", id, ({ counts }) => counts.queued > 0)
        yield* eventually("some are stored", async () => {
          const rows = await Effect.runPromise(shop.messages)
          return rows.length >= 20 ? true : undefined
        })
        yield* shop.act(id, "pause")
        const stored = (yield* shop.messages).length
        assert.isBelow(stored, people)
        yield* Effect.sleep("1500 millis")
        assert.strictEqual((yield* shop.messages).length, stored)
        yield* shop.act(id, "resume")
        yield* eventually("it goes on", async () => {
          const rows = await Effect.runPromise(shop.messages)
          return rows.length > stored + 5 ? true : undefined
        })
        const cancelled = yield* shop.act(id, "cancel")
        const rows = yield* shop.messages
        assert.strictEqual(cancelled?.status, "cancelled")
        const { counts } = yield* shop.state(id)
        addsUp(counts)
        assert.deepInclude(counts, { total: people, queued: rows.length, skipped: people - rows.length })
        assert.strictEqual(counts.skippedBy.cancelled, people - rows.length)
        yield* shop.countsAreRight(id)
        yield* Effect.sleep("1 second")
        assert.strictEqual((yield* shop.messages).length, rows.length)
        const refused = yield* Effect.flip(shop.act(id, "resume"))
        assert.match(refused.message, /is cancelled and cannot be resumed/)
      }),
    240_000
  )

  it.live(
    "skip contacts who opted out, cannot be reached or lack a value, before the start or after it",
    () =>
      Effect.gen(function* () {
        const shop = yield* makeShop(10)
        yield* shop.asTenant(shop.sql`UPDATE contacts SET opted_in = false WHERE id IN ('cnt_1', 'cnt_2')`)
        yield* shop.asTenant(shop.sql`UPDATE contacts SET phone = NULL WHERE id = 'cnt_3'`)
        yield* shop.asTenant(shop.sql`UPDATE contacts SET archived_at = now() WHERE id = 'cnt_4'`)
        yield* shop.asTenant(shop.sql`UPDATE contacts SET name = NULL WHERE id = 'cnt_5'`)
        const ids = Array.from({ length: 10 }, (_, i) => `cnt_${i + 1}`)
        const { id } = yield* shop.create({
          components: [{ type: "body", parameters: [{ type: "text", text: "{{name}}" }] }],
          audience: { contactIds: ids }
        })
        const started = yield* shop.act(id, "start")
        assert.deepInclude(started?.counts, { total: 10, queued: 6, skipped: 4 })
        yield* shop.run(
          Effect.flatMap(Contacts, (contacts) =>
            contacts.update(shop.organizationId, "cnt_6", { optedIn: false }, "key_test")
          )
        )
        yield* shop.asTenant(shop.sql`DELETE FROM contacts WHERE id = 'cnt_7'`)
        yield* shop.asTenant(shop.sql`INSERT INTO contacts (organization_id, id, phone, name, opted_in)
          VALUES (${shop.organizationId}, 'cnt_late', '+14155559999', 'Late', true)`)
        yield* shop.worker()
        yield* eventually("three are stored", async () => {
          const rows = await Effect.runPromise(shop.messages)
          return rows.length >= 3 ? true : undefined
        })
        for (const row of yield* shop.messages) yield* shop.report(row.id, "delivered")
        const { counts } = yield* shop.wait("it is completed", id, ({ status }) => status === "completed")
        assert.deepInclude(counts, { total: 10, delivered: 3, skipped: 7 })
        yield* shop.countsAreRight(id)
        assert.deepStrictEqual(counts.skippedBy, {
          ...{ opted_out: 1, never_opted_in: 2, no_phone: 1, archived: 1, erased: 1, missing_value: 1 },
          ...{ rate_limited: 0, cancelled: 0 }
        })
        const texts = (yield* shop.messages).map(({ contactId, text }) => `${contactId} ${text}`).sort()
        assert.deepStrictEqual(texts, ["cnt_10 Person 10", "cnt_8 Person 8", "cnt_9 Person 9"])
      }),
    240_000
  )

  it.live(
    "wait with a recipient who has had twenty messages within the hour",
    () =>
      Effect.gen(function* () {
        const shop = yield* makeShop(1)
        yield* shop.worker()
        const made: Array<string> = []
        for (let i = 0; i < 21; i++) {
          const { id } = yield* shop.create({ name: `No. ${i}` })
          yield* shop.act(id, "start")
          made.push(id)
        }
        yield* eventually("twenty are stored", async () => {
          const rows = await Effect.runPromise(shop.messages)
          return rows.length >= 20 ? true : undefined
        })
        yield* Effect.sleep("1500 millis")
        assert.strictEqual((yield* shop.messages).length, 20)
        const [waiting] = yield* shop.asTenant(
          shop.sql<{
            minutes: number
          }>`SELECT extract(epoch FROM due_at - now())::int / 60 AS minutes FROM broadcast_recipients WHERE status = 'waiting'`
        )
        assert.isAtLeast(waiting.minutes, 55)
        assert.isAtMost(waiting.minutes, 60)
        const states = yield* Effect.forEach(made, shop.state)
        assert.lengthOf(
          states.filter(({ counts }) => counts.queued === 1),
          21
        )
      }),
    240_000
  )

  it.live(
    "start by themselves at their time, or say why they cannot",
    () =>
      Effect.gen(function* () {
        const shop = yield* makeShop(3, "STARTER")
        const soon = Date.now() + 3_000
        const { id, status } = yield* shop.create({ scheduledAt: soon })
        assert.strictEqual(status, "scheduled")
        const late = yield* shop.create({ scheduledAt: Date.now() + 3_600_000 })
        yield* shop.worker()
        const started = yield* shop.wait("it runs", id, (broadcast) => broadcast.status === "running")
        assert.isAtLeast(Date.parse(started.startedAt ?? ""), soon)
        assert.strictEqual(started.counts.total, 3)

        const second = yield* shop.create({ scheduledAt: Date.now() + 3_600_000 })
        yield* shop.run(
          Effect.flatMap(Templates, (templates) =>
            templates.replace(shop.organizationId, [{ ...greeting, status: "PAUSED" }], Date.now())
          )
        )
        yield* shop.asTenant(shop.sql`UPDATE broadcasts SET scheduled_at = now() WHERE id = ${second.id}`)
        const failed = yield* shop.wait("it fails", second.id, (broadcast) => broadcast.status === "failed")
        assert.match(failed.failureReason ?? "", /status at the channel is PAUSED/)
        assert.strictEqual((yield* shop.state(late.id)).status, "scheduled")
      }),
    240_000
  )

  it.live(
    "do not slow down other queries of the database, however many organizations send and whichever process stores the messages",
    () =>
      Effect.gen(function* () {
        const stores = yield* makeStores
        const people = 40
        const shops = yield* Effect.forEach([1, 2, 3, 4], () => openShop(stores, people, "PRO"))
        const [shop] = shops
        for (const own of [stores.stores, yield* Layer.build(storesAt(stores.environment))]) {
          const member = Cluster.layerMember({ host: "127.0.0.1", port: yield* Effect.promise(freePort) })
          yield* Layer.build(broadcastWorker({}, member).pipe(Layer.provide(Layer.succeedContext(own))))
        }
        yield* balanced(shop.sql)(2)
        let longest = 0
        const look = Effect.gen(function* () {
          const began = performance.now()
          yield* shop.asTenant(shop.sql`SELECT 1`)
          longest = Math.max(longest, performance.now() - began)
          yield* Effect.sleep("20 millis")
        })
        const looking = yield* Effect.forkScoped(Effect.forever(look))
        for (const { act, create } of shops) yield* act((yield* create()).id, "start")
        for (const { messages } of shops)
          yield* eventually("all are stored", async () => {
            const rows = await Effect.runPromise(messages)
            return rows.length >= people ? true : undefined
          })
        yield* Fiber.interrupt(looking)
        assert.isBelow(longest, 2_000)
      }),
    240_000
  )

  it.live(
    "start at their time while another one runs, and share the pace with it",
    () =>
      Effect.gen(function* () {
        const people = 400
        const shop = yield* makeShop(people)
        const large = yield* shop.create()
        yield* shop.act(large.id, "start")
        yield* shop.worker({ perSecond: 40 })
        const small = yield* shop.create({
          audience: { contactIds: ["cnt_398", "cnt_399", "cnt_400"] },
          scheduledAt: Date.now() + 1_000
        })
        const stored = ({ id }: Broadcast) =>
          Effect.map(
            shop.asTenant(shop.sql<{ n: number }>`SELECT count(*)::int AS n FROM messages WHERE sent_by = ${id}`),
            ([{ n }]) => n
          )
        yield* eventually(
          "the small one is stored",
          Effect.map(stored(small), (n) => n === 3)
        )
        assert.isBelow(yield* stored(large), people / 2)
        const { startedAt } = yield* shop.state(small.id)
        assert.isBelow(Date.parse(startedAt ?? "") - Date.parse(small.scheduledAt ?? ""), 2_000)
      }),
    240_000
  )

  const whoStores = { "in one statement": null, "by the conversation's owner": slaPolicy }
  for (const [how, policy] of Object.entries(whoStores))
    it.live(
      `store no message for a contact who opts out, or after they are stopped, although the recipient is claimed: ${how}`,
      () =>
        Effect.gen(function* () {
          const shop = yield* makeShop(4)
          const { organizationId, run } = shop
          yield* run(Effect.flatMap(Organizations, (all) => all.setSlaPolicy(organizationId, policy)))
          const { id } = yield* shop.create()
          yield* shop.act(id, "start")
          const { recipients: claimed } = yield* shop.queue.claim(organizationId, 4, 60_000, Date.now())
          const store = Effect.fnUntraced(function* (contactId: string) {
            const { messageId } = claimed.find((one) => one.contactId === contactId) ?? assert.fail("it is not claimed")
            const [{ id: conversationId }] = yield* shop.asTenant(
              shop.sql<{ id: string }>`SELECT id FROM conversations WHERE contact_id = ${contactId}`
            )
            const message = {
              id: messageId,
              organizationId,
              conversationId,
              direction: "outbound",
              sentBy: id
            } as const
            const stored = run(
              Effect.flatMap(Messages, (all) => all.add({ ...message, type: "text", content: {} }, Date.now()))
            )
            return yield* Effect.match(stored, { onSuccess: ({ status }) => status, onFailure: ({ _tag }) => _tag })
          })
          const optIn = (contactId: string, optedIn: boolean) =>
            run(Effect.flatMap(Contacts, (all) => all.update(organizationId, contactId, { optedIn }, "key_test")))

          assert.strictEqual(yield* store("cnt_1"), "queued")
          assert.strictEqual(yield* store("cnt_1"), "queued", "what is stored already is found")
          yield* optIn("cnt_2", false)
          assert.strictEqual(yield* store("cnt_2"), "MessageWithheld")
          // Another transaction is changing the contact. The message is withheld at once: waiting could become a deadlock.
          const [locked, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
          const changing = yield* shop
            .asTenant(
              shop.sql`SELECT 1 FROM contacts WHERE id = 'cnt_3' FOR UPDATE`.pipe(
                Effect.andThen(Deferred.succeed(locked, undefined)),
                Effect.andThen(Deferred.await(done))
              )
            )
            .pipe(Effect.forkScoped)
          yield* Deferred.await(locked)
          assert.strictEqual(yield* store("cnt_3"), "MessageWithheld")
          yield* Deferred.succeed(done, undefined)
          yield* Fiber.join(changing)
          yield* shop.act(id, "pause")
          assert.strictEqual(yield* store("cnt_3"), "MessageWithheld")
          yield* shop.act(id, "resume")
          assert.strictEqual(yield* store("cnt_3"), "queued")
          yield* shop.act(id, "cancel")
          assert.strictEqual(yield* store("cnt_4"), "MessageWithheld")
          const stored = (yield* shop.messages).map(({ contactId }) => contactId).sort()
          assert.deepStrictEqual(stored, ["cnt_1", "cnt_3"])
          const { counts } = yield* shop.state(id)
          assert.deepInclude(counts, { queued: 2, skipped: 2 })
          assert.strictEqual(counts.skippedBy.cancelled, 2)
        })
    )

  it.live("are created once by a request that is repeated", () =>
    Effect.gen(function* () {
      const shop = yield* makeShop(1)
      const again = () => Effect.provideService(shop.create(), Operation, "idk_01KAJ3Q8Z0000000000000000A")
      const [first, second] = [yield* again(), yield* again()]
      assert.deepStrictEqual(second, first)
      assert.notStrictEqual((yield* shop.create()).id, first.id)
    })
  )

  it.live("are returned to a repeated request even when they could no longer be created", () =>
    Effect.gen(function* () {
      const shop = yield* makeShop(1)
      // The queries before that take a while on a busy machine.
      const scheduledAt = Date.now() + 2_000
      const again = () =>
        Effect.provideService(shop.create({ scheduledAt }), Operation, "idk_01KAJ3Q8Z0000000000000000B")
      const first = yield* again()
      yield* Effect.sleep(scheduledAt + 100 - Date.now())
      assert.deepStrictEqual(yield* again(), first)
      const late = yield* Effect.flip(shop.create({ scheduledAt }))
      assert.strictEqual(late.message, "scheduledAt must lie in the future.")
    })
  )

  it.live("do not count towards the sending pace before their scheduled time", () =>
    Effect.gen(function* () {
      const shop = yield* makeShop(1)
      const { id } = yield* shop.create({ scheduledAt: Date.now() + 86_400_000 })
      yield* shop.worker()
      yield* Effect.sleep("2 seconds")
      assert.deepStrictEqual(yield* shop.asTenant(shop.sql`SELECT * FROM broadcast_pace`), [])
      assert.strictEqual((yield* shop.state(id)).status, "scheduled")
    })
  )

  it.live("keep their pace when many recipients in a row are skipped", () =>
    Effect.gen(function* () {
      const shop = yield* makeShop(401)
      yield* shop.asTenant(shop.sql`UPDATE contacts SET name = NULL WHERE id <> 'cnt_401'`)
      const { id } = yield* shop.create({
        components: [{ type: "body", parameters: [{ type: "text", text: "{{name}}" }] }]
      })
      yield* shop.act(id, "start")
      const [last] = yield* shop.asTenant(
        shop.sql<{ contactId: string }>`SELECT contact_id FROM broadcast_recipients ORDER BY position DESC LIMIT 1`
      )
      assert.strictEqual(last?.contactId, "cnt_401")
      yield* shop.worker({ perSecond: 1_000 })
      const began = performance.now()
      yield* eventually("the last one has its message", async () => {
        const rows = await Effect.runPromise(shop.messages)
        return rows.length > 0 ? true : undefined
      })
      // Twenty at each look, one every half a second, would be ten seconds.
      assert.isBelow(performance.now() - began, 5_000)
      assert.strictEqual((yield* shop.state(id)).counts.skippedBy.missing_value, 400)
    })
  )

  it.live(
    "are limited to the plan's number of recipients, counted when they start",
    () =>
      Effect.gen(function* () {
        const shop = yield* makeShop(1_001, "STARTER")
        const { id } = yield* shop.create()
        const refused = yield* Effect.flip(shop.act(id, "start"))
        assert.match(refused.message, /would go to 1001 contacts; the plan STARTER allows 1000/)
        assert.deepInclude(yield* shop.state(id), { status: "draft" })
        assert.strictEqual((yield* shop.state(id)).counts.total, 0)
        yield* shop.asTenant(shop.sql`UPDATE contacts SET opted_in = false WHERE id = 'cnt_1'`)
        const started = yield* shop.act(id, "start")
        assert.deepInclude(started?.counts, { total: 1_000, queued: 1_000 })
        assert.strictEqual((yield* shop.act(id, "start"))?.startedAt, started?.startedAt)

        const free = yield* makeShop(1, "FREE")
        assert.match((yield* Effect.flip(free.create())).message, /need the Starter plan/)
      }),
    240_000
  )

  it.live(
    "keep their pace, however many workers there are",
    () =>
      Effect.gen(function* () {
        const shop = yield* makeShop(60)
        const { id } = yield* shop.create()
        yield* shop.act(id, "start")
        for (let i = 0; i < 3; i++) yield* shop.worker({ perSecond: 20 })
        yield* eventually(
          "all are stored",
          async () => {
            const rows = await Effect.runPromise(shop.messages)
            return rows.length >= 60 ? true : undefined
          },
          60
        )
        const [{ seconds }] = yield* shop.asTenant(
          shop.sql<{
            seconds: number
          }>`SELECT extract(epoch FROM max(updated_at) - min(updated_at))::float AS seconds FROM broadcast_recipients`
        )
        // 60 at 20 a second are 3 s, less the first and the last five, which leave at once.
        assert.isAtLeast(seconds, 2)
        assert.strictEqual((yield* shop.messages).length, 60)
      }),
    240_000
  )
})
