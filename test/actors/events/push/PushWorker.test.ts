/** Push notifications, from an event to a device, on a real database and a push service that speaks FCM's protocol. */
import { createHash } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { type Context, Effect, Layer } from "effect"
import { start } from "../../../../simulators/push/Fcm.ts"
import { makePushDelivery } from "../../../../src/actors/events/push/PushDelivery.ts"
import * as PushWorker from "../../../../src/actors/events/push/PushWorker.ts"
import { makeTakeEvents } from "../../../../src/actors/events/push/PushWorker.ts"
import { newId } from "../../../../src/domain/basics/Ids.ts"
import type { NewEvent } from "../../../../src/domain/events/EventData.ts"
import { Pushes, PushSettings } from "../../../../src/domain/events/Push.ts"
import { Conversations } from "../../../../src/domain/messaging/conversations/Conversation.ts"
import type { Role } from "../../../../src/domain/people/access/Access.ts"
import { Devices } from "../../../../src/domain/people/access/Device.ts"
import { Users } from "../../../../src/domain/people/access/User.ts"
import { UserSessions } from "../../../../src/domain/people/access/UserSession.ts"
import { Contacts } from "../../../../src/domain/people/contacts/Contact.ts"
import { recordEvent } from "../../../../src/integrations/postgres/events/EventLog.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import * as Fcm from "../../../../src/integrations/push/Fcm.ts"
import { parseServiceAccount } from "../../../../src/integrations/push/ServiceAccount.ts"
import { aMessage } from "../../../support/aMessage.ts"
import { shownConversation } from "../../../support/conversations.ts"
import { sessionOf } from "../../../support/sessions.ts"
import { logSettled } from "../../../support/settled.ts"
import { newOrganization, testStores } from "../../../support/tenants.ts"

const makeWorld = Effect.gen(function* () {
  const fcm = yield* Effect.acquireRelease(
    Effect.promise(() => start()),
    ({ close }) => Effect.promise(close)
  )
  const service = Fcm.layer({ account: parseServiceAccount(fcm.serviceAccount), baseUrl: fcm.url, deadlineMs: 2_000 })
  const context = yield* Layer.build(Layer.merge(testStores, service))
  const provide = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provide(effect, context as Context.Context<R>)
  const { id: organizationId } = yield* provide(newOrganization())

  /** A user who is signed in on a device; the device's token contains the name. */
  const personOf = Effect.fnUntraced(function* (name: string, role: Role = "AGENT", organization = organizationId) {
    const users = yield* Users
    const email = `${name}.${createHash("sha256")
      .update(name + organization)
      .digest("hex")
      .slice(0, 8)}@example.com`
    const { id } = yield* users.create({ organizationId: organization, email, name, role })
    const user = { organizationId: organization, id, email, name, role }
    const session = yield* sessionOf(user)
    const devices = yield* Devices
    yield* devices.register(
      { user, sessionId: session.principal.sessionId, expiresAt: session.expiresAt },
      { token: `token-of-${name}`, platform: "android" }
    )
    return { ...user, sessionId: session.principal.sessionId }
  }, provide)

  const happened = Effect.fnUntraced(function* (event: NewEvent, organization = organizationId, at = Date.now()) {
    const sql = yield* PgClient.PgClient
    yield* tenant(organization)(recordEvent(sql, organization, event, at))
  }, provide)

  const conversation = Effect.fnUntraced(function* (phone = "+14155550177", organization = organizationId) {
    const { contact } = yield* (yield* Contacts).save(organization, { phone, name: "Asha Rao" }, "key_test")
    return { id: yield* (yield* Conversations).open(organization, contact.id, "messaging"), contactId: contact.id }
  }, provide)

  const assign = (id: string, userId: string | null) =>
    provide(
      Effect.flatMap(PgClient.PgClient, (sql) =>
        tenant(organizationId)(
          sql`UPDATE conversations SET assigned_user_id = ${userId}, status = ${userId === null ? "OPEN" : "ASSIGNED"} WHERE id = ${id}`
        )
      )
    )

  const received = (conversationId: string, text = "Hello"): NewEvent => ({
    type: "message.received",
    data: {
      message: {
        ...aMessage,
        id: newId("msg"),
        organizationId,
        conversationId,
        contactId: newId("cnt"),
        content: { text },
        createdAt: new Date().toISOString()
      }
    }
  })
  const shown = (conversationId: string) => provide(shownConversation({ organizationId, conversationId }))

  const settled = provide(logSettled)
  const takeEvents = Effect.andThen(settled, provide(Effect.flatten(makeTakeEvents)))
  /** One round of everything the worker does. */
  const round = Effect.gen(function* () {
    yield* takeEvents
    const deliver = yield* makePushDelivery
    const due = yield* (yield* Pushes).claim(Date.now(), 60_000, 100)
    yield* Effect.forEach(due, deliver, { discard: true })
  }).pipe(provide)
  /** The names of those who were notified since the last call, sorted. */
  const told = () => {
    const names = fcm.taken.map(({ token }) => token.replace("token-of-", "")).sort()
    fcm.taken.length = 0
    return names
  }
  const rows = (statement: string, organization = organizationId) =>
    provide(
      Effect.flatMap(PgClient.PgClient, (sql) => tenant(organization)(sql.unsafe<Record<string, unknown>>(statement)))
    )
  /** Makes the postponed notifications due now. */
  const later = rows("UPDATE push_notifications SET due_at = now()")

  return {
    fcm,
    context,
    provide,
    organizationId,
    personOf,
    happened,
    conversation,
    assign,
    received,
    shown,
    takeEvents,
    settled,
    round,
    told,
    rows,
    later
  }
})

describe("push", () => {
  it.live("tells OWNERs and ADMINs, and nobody else, that an integration has failed and what to do", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      yield* world.personOf("ann")
      yield* world.personOf("bea", "ADMIN")
      yield* world.personOf("cid", "OWNER")
      const connection = { id: newId("con"), provider: "hubspot", title: "HubSpot", problem: "Connect HubSpot again." }
      yield* world.happened({ type: "connection.failed", data: { connection } })
      yield* world.happened({ type: "connection.recovered", data: { connection: { ...connection, problem: null } } })
      yield* world.round
      const [{ notification }] = world.fcm.taken
      assert.deepStrictEqual(notification, { title: "HubSpot does not work", body: "Connect HubSpot again." })
      assert.deepStrictEqual(world.told(), ["bea", "cid"])
    })
  )

  it.live("tells OWNERs, and nobody else, that the AI tokens of the month are used", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      yield* world.personOf("ann")
      yield* world.personOf("bea", "ADMIN")
      yield* world.personOf("cid", "OWNER")
      const usage = { month: "2026-11", allowance: 200_000, used: 200_140 }
      yield* world.happened({ type: "ai.allowance_used", data: { usage } })
      yield* world.round
      const [{ notification, data }] = world.fcm.taken
      assert.match(notification.body, /text agents hand over to people/)
      assert.deepStrictEqual(data, { type: "ai.allowance_used" })
      assert.deepStrictEqual(world.told(), ["cid"])
    })
  )

  it.live(
    "notifies everybody of a message without an assignee, then only the assignee, and nobody who left or signed out",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld
        const [ann, bob, cid] = [
          yield* world.personOf("ann"),
          yield* world.personOf("bob"),
          yield* world.personOf("cid", "OWNER")
        ]
        const { id } = yield* world.conversation()
        yield* world.happened(world.received(id))
        yield* world.round
        assert.deepStrictEqual(world.told(), ["ann", "bob", "cid"])
        yield* world.round
        assert.deepStrictEqual(world.told(), [])

        yield* world.assign(id, bob.id)
        const conversation = yield* world.shown(id)
        const assigned = (assignee: string): NewEvent => ({
          type: "conversation.assigned",
          data: { conversation: { ...conversation, assignee } }
        })
        yield* world.happened(assigned(bob.id))
        yield* world.happened(assigned(ann.id))
        yield* world.happened({ type: "contact.erased", data: { contact: { id: conversation.contact.id } } })
        yield* world.round
        assert.deepStrictEqual(world.told(), ["bob"])
        yield* world.happened({
          type: "conversation.sla_breached",
          data: { conversation, target: "first_response", dueAt: new Date().toISOString() }
        })
        yield* world.round
        assert.deepStrictEqual(world.told(), ["bob", "cid"])

        // The assignee leaves: the conversation has no assignee any more.
        const [users, sessions] = [yield* world.provide(Users), yield* world.provide(UserSessions)]
        yield* Effect.orDie(users.change(world.organizationId, bob.id, { active: false }))
        yield* sessions.end(world.organizationId, ann.sessionId)
        yield* world.happened(world.received(id))
        yield* world.round
        assert.deepStrictEqual(world.told(), ["cid"])
        yield* world.rows(`UPDATE devices SET expires_at = now() WHERE user_id = '${cid.id}'`)
        yield* world.happened(world.received(id))
        yield* world.round
        assert.deepStrictEqual(world.told(), [])
      })
  )

  it.live("drops what is still to be sent to a device when its user signs out", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      const ann = yield* world.personOf("ann")
      yield* world.happened(world.received((yield* world.conversation()).id))
      yield* world.takeEvents
      assert.lengthOf(yield* world.rows("SELECT 1 FROM push_notifications"), 1)
      yield* (yield* world.provide(UserSessions)).end(world.organizationId, ann.sessionId)
      yield* world.round
      assert.deepStrictEqual(world.told(), [])
      assert.lengthOf(yield* world.rows("SELECT 1 FROM push_notifications"), 0)
    })
  )

  it.live(
    "never notifies another organization's devices, even if that organization uses the same conversation id",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld
        const { id: otherId } = yield* world.provide(newOrganization())
        yield* world.personOf("ann")
        yield* world.personOf("eve", "OWNER", otherId)
        const { id } = yield* world.conversation()
        yield* world.happened(world.received(id))
        yield* world.happened(world.received(id), otherId)
        yield* world.round
        assert.deepStrictEqual(world.told(), ["ann"])
        // The phone changes hands: it belongs to the user who signed in on it last.
        const devices = yield* world.provide(Devices)
        const thief = yield* world.personOf("dan", "AGENT", otherId)
        yield* devices.register(
          { user: thief, sessionId: thief.sessionId, expiresAt: new Date(Date.now() + 60_000).toISOString() },
          { token: "token-of-ann", platform: "android" }
        )
        yield* world.happened(world.received(id))
        yield* world.round
        assert.deepStrictEqual(world.told(), [])
      })
  )

  it.live(
    "removes a device whose token is dead, and tries a temporary failure again after Retry-After until it gives up",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld
        yield* world.personOf("ann")
        yield* world.personOf("bob")
        const { id } = yield* world.conversation()
        world.fcm.unregistered.add("token-of-ann")
        yield* world.happened(world.received(id))
        yield* world.round
        assert.deepStrictEqual(world.told(), ["bob"])
        assert.lengthOf(yield* world.rows("SELECT 1 FROM devices"), 1)

        Object.assign(world.fcm.faults, { failNext: 1, status: 503, retryAfter: 120 })
        yield* world.happened(world.received(id))
        yield* world.round
        const [{ wait, attempts }] = yield* world.rows(
          "SELECT extract(epoch FROM due_at - now())::int AS wait, attempts FROM push_notifications"
        )
        assert.isAtLeast(Number(wait), 110)
        assert.strictEqual(attempts, 1)
        yield* world.round
        assert.deepStrictEqual(world.told(), [])
        yield* world.later
        yield* world.round
        assert.deepStrictEqual(world.told(), ["bob"])

        Object.assign(world.fcm.faults, { failNext: 1, status: 503, retryAfter: 3_700 })
        yield* world.happened(world.received(id))
        yield* world.round
        assert.lengthOf(yield* world.rows("SELECT 1 FROM push_notifications"), 0)
      })
  )

  it.live(
    "loses and doubles nothing when a node dies between any two steps, and lets only one node take an event",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld
        yield* world.personOf("ann")
        const { id } = yield* world.conversation()
        const pushes = yield* world.provide(Pushes)
        for (let i = 0; i < 20; i++) yield* world.happened(world.received(id, `message ${i}`))
        yield* world.settled
        // Died while reading: the transaction takes the cursor back with it.
        yield* Effect.ignore(
          world.provide(
            Effect.flatMap(PgClient.PgClient, () =>
              tenant(world.organizationId)(
                Effect.andThen(pushes.take(world.organizationId, Date.now(), 7), Effect.fail("killed"))
              )
            )
          )
        )
        assert.lengthOf(yield* world.rows("SELECT 1 FROM push_notifications"), 0)
        const took = yield* Effect.all(
          Array.from({ length: 4 }, () => pushes.take(world.organizationId, Date.now(), 7)),
          { concurrency: 4 }
        )
        assert.isAbove(Math.max(...took), 0)
        while ((yield* pushes.take(world.organizationId, Date.now(), 7)) > 0);
        assert.lengthOf(yield* world.rows("SELECT 1 FROM push_notifications"), 20)
        // Died with some of them claimed: after the lease another node may claim them.
        const claimed = yield* pushes.claim(Date.now(), 60_000, 8)
        assert.lengthOf(claimed, 8)
        yield* world.round
        assert.lengthOf(world.told(), 12)
        yield* world.later
        yield* world.round
        assert.lengthOf(world.told(), 8)
        yield* world.round
        assert.lengthOf(world.told(), 0)
      })
  )

  it.live(
    "skips events that are old or older than the device, and shows a preview only when the organization wants it",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld
        const { id } = yield* world.conversation()
        yield* world.happened(world.received(id))
        yield* world.settled
        yield* world.personOf("ann")
        yield* world.happened(world.received(id), world.organizationId, Date.now() - 3_700_000)
        yield* world.round
        assert.deepStrictEqual(world.told(), [])
        yield* world.happened(world.received(id, "My card is 4111"))
        yield* world.round
        assert.notMatch(JSON.stringify(world.fcm.taken), /Asha|4111/)
        assert.strictEqual(world.fcm.taken[0].collapseKey, id)
        world.told()
        yield* (yield* world.provide(PushSettings)).setPreview(world.organizationId, true)
        yield* world.happened(world.received(id, "My card is 4111"))
        yield* world.round
        assert.deepStrictEqual(world.fcm.taken[0].notification, { title: "Asha Rao", body: "My card is 4111" })
      })
  )

  it.live("is sent by the worker without any further call", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      yield* world.personOf("ann")
      const { id } = yield* world.conversation()
      yield* Layer.build(PushWorker.layer).pipe(Effect.provide(world.context))
      yield* world.happened(world.received(id))
      while (world.fcm.taken.length === 0) yield* Effect.sleep("50 millis")
      assert.deepStrictEqual(world.told(), ["ann"])
    })
  )

  it.live("finds the next events by an index, however long the log is", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      yield* world.personOf("ann")
      yield* world.rows(`INSERT INTO events (organization_id, id, type, data, created_at)
        SELECT '${world.organizationId}', 'evt_' || n, 'contact.updated', '{}', now() FROM generate_series(1, 20000) n`)
      yield* world.rows("ANALYZE events").pipe(Effect.ignore)
      const plan = yield* world.rows(`EXPLAIN (FORMAT TEXT) SELECT id FROM events
        WHERE (transaction, position) > ('99999999'::xid8, 5::bigint) AND transaction < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY transaction, position LIMIT 200`)
      const text = JSON.stringify(plan)
      assert.match(text, /events_in_order/)
      assert.match(text, /Index Cond: [^"]*ROW\(transaction/)
    })
  )
})
