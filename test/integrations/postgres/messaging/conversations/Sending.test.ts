/** Messages that are sent at the same moment share statements. Each is stored as if it were sent alone. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { newId } from "../../../../../src/domain/basics/Ids.ts"
import { Messages, type NewMessage } from "../../../../../src/domain/messaging/conversations/Message.ts"
import { Recipients } from "../../../../../src/domain/messaging/sending/Recipients.ts"
import { tenant } from "../../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { savedContact } from "../../../../support/contacts.ts"
import { newThread } from "../../../../support/delivery.ts"
import { newOrganization, testStores } from "../../../../support/tenants.ts"

const messageIn = (organizationId: string, conversationId: string, text: string): NewMessage & { id: string } => ({
  id: newId("msg"),
  organizationId,
  conversationId,
  direction: "outbound",
  type: "text",
  content: { text }
})

/** An organization with this many conversations. */
const office = Effect.fnUntraced(function* (conversations: number) {
  const { id: organizationId } = yield* newOrganization()
  const threads = yield* Effect.forEach(Array.from({ length: conversations }), () => newThread(organizationId))
  return { organizationId, threads, messages: yield* Messages, sql: yield* SqlClient.SqlClient }
})

const atOnce = { concurrency: "unbounded" } as const

layer(testStores, { excludeTestServices: true })("sending at the same moment", (it) => {
  it.effect("stores each message with its outbox entry and its event, in few transactions", () =>
    Effect.gen(function* () {
      const { organizationId, threads, messages, sql } = yield* office(40)
      const written = threads.map((thread, i) => messageIn(organizationId, thread, `Hello ${i}`))
      const stored = yield* Effect.forEach(written, (message) => messages.queue(message, Date.now()), atOnce)
      for (const [i, message] of stored.entries()) {
        assert.deepInclude(message, { ...written[i], status: "queued", channel: "messaging" })
        assert.deepStrictEqual(yield* messages.find(organizationId, written[i].id), message)
      }
      const told = yield* tenant(organizationId)(
        sql<{
          id: string
          message: unknown
          transaction: string
        }>`SELECT o.message_id AS id, e.data->'message' AS message,
          e.transaction::text FROM outbox o JOIN events e ON e.data->'message'->>'id' = o.message_id AND e.type = 'message.queued'
          WHERE o.head`
      )
      const events = new Map(told.map(({ id, message }) => [id, message]))
      for (const message of stored) assert.deepStrictEqual(events.get(message?.id ?? ""), message)
      assert.isBelow(new Set(told.map(({ transaction }) => transaction)).size, 10)
    })
  )

  it.effect("does not wait for a conversation that another transaction is writing to", () =>
    Effect.gen(function* () {
      const { organizationId, threads, messages, sql } = yield* office(3)
      const held = yield* Deferred.make<void>()
      const done = yield* Deferred.make<void>()
      const other = yield* Effect.forkChild(
        tenant(organizationId)(
          Effect.gen(function* () {
            yield* sql`SELECT 1 FROM conversations WHERE id = ${threads[1]} FOR NO KEY UPDATE`
            yield* Deferred.succeed(held, undefined)
            yield* Deferred.await(done)
          })
        )
      )
      yield* Deferred.await(held)
      const written = threads.map((thread) => messageIn(organizationId, thread, "Hello"))
      const stored = yield* Effect.forEach(written, (message) => messages.queue(message, Date.now()), atOnce)
      assert.deepStrictEqual(
        stored.map((message) => message?.id),
        [written[0].id, undefined, written[2].id]
      )
      assert.isUndefined(yield* messages.find(organizationId, written[1].id))
      // The slower path waits for the other transaction, and stores the message.
      const late = yield* Effect.forkChild(messages.add(written[1], Date.now()))
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.join(other)
      assert.strictEqual((yield* Fiber.join(late)).status, "queued")
    })
  )

  it.effect("stores all messages of one conversation, and makes only the first ready for delivery", () =>
    Effect.gen(function* () {
      const { organizationId, threads, messages, sql } = yield* office(1)
      const written = ["one", "two", "three"].map((text) => messageIn(organizationId, threads[0], text))
      yield* Effect.forEach(written, (message) => messages.add(message, Date.now()), atOnce)
      const queued = yield* tenant(organizationId)(
        sql<{ id: string; head: boolean }>`SELECT message_id AS id, head FROM outbox ORDER BY position`
      )
      assert.sameMembers(
        queued.map(({ id }) => id),
        written.map(({ id }) => id)
      )
      assert.deepStrictEqual(
        queued.map(({ head }) => head),
        [true, false, false]
      )
    })
  )

  it.effect("stores the other messages when the database refuses one", () =>
    Effect.gen(function* () {
      const { organizationId, threads, messages } = yield* office(3)
      const written = threads.map((thread, i) => messageIn(organizationId, thread, i === 1 ? "\u0000" : "Hello"))
      const exits = yield* Effect.forEach(
        written,
        (message) => Effect.exit(messages.queue(message, Date.now())),
        atOnce
      )
      assert.deepStrictEqual(
        exits.map((exit) => (Exit.isSuccess(exit) ? exit.value?.status : exit._tag)),
        ["queued", "Failure", "queued"]
      )
    })
  )

  it.effect("does not store a known message again", () =>
    Effect.gen(function* () {
      const { organizationId, threads, messages, sql } = yield* office(2)
      const [known, fresh] = threads.map((thread) => messageIn(organizationId, thread, "Hello"))
      yield* messages.queue(known, Date.now())
      const again = yield* Effect.forEach([known, fresh], (message) => messages.queue(message, Date.now()), atOnce)
      assert.deepStrictEqual(
        again.map((message) => message?.id),
        [undefined, fresh.id]
      )
      const [{ count }] = yield* tenant(organizationId)(
        sql<{ count: number }>`SELECT count(*)::int AS count FROM events WHERE type = 'message.queued'`
      )
      assert.strictEqual(count, 2)
    })
  )

  it.effect("gives each request its own recipient when recipients are looked up together", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* newOrganization()
      const { id: stranger } = yield* newOrganization()
      const recipients = yield* Recipients
      const phones = ["+14155558801", "+14155558802", "+14155558803"]
      const contacts = yield* Effect.forEach(phones, (phone) => savedContact(organizationId, { phone }))
      const theirs = yield* savedContact(stranger, { phone: "+14155558804" })
      const opened = yield* recipients.open(organizationId, { contactId: contacts[1].id })
      const found = yield* Effect.forEach(
        [
          { phone: phones[2] },
          { contactId: contacts[1].id },
          { phone: "+14155558899" },
          { contactId: theirs.id },
          { phone: theirs.phone },
          { phone: phones[0] },
          { phone: phones[2] }
        ],
        (to) => recipients.find(organizationId, to),
        atOnce
      )
      assert.deepStrictEqual(
        found.map((one) => one?.contactId),
        [contacts[2].id, contacts[1].id, undefined, undefined, undefined, contacts[0].id, contacts[2].id]
      )
      assert.isDefined(opened)
      assert.strictEqual(found[1]?.conversationId, opened)
      assert.isUndefined(found[0]?.conversationId)
    })
  )

  it.effect("opens one conversation for each contact when many are opened together, with one event each", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* newOrganization()
      const { id: stranger } = yield* newOrganization()
      const [recipients, sql] = [yield* Recipients, yield* SqlClient.SqlClient]
      const phones = ["+14155558811", "+14155558812", "+14155558813"]
      const contacts = yield* Effect.forEach(phones, (phone) => savedContact(organizationId, { phone }))
      const theirs = yield* savedContact(stranger, { phone: "+14155558814" })
      const known = yield* recipients.open(organizationId, { contactId: contacts[0].id })
      const wanted = [contacts[1], contacts[0], contacts[2], theirs, contacts[1]]
      const opened = yield* Effect.forEach(
        wanted,
        ({ id }) => recipients.open(organizationId, { contactId: id }),
        atOnce
      )
      assert.strictEqual(opened[1], known)
      assert.strictEqual(opened[4], opened[0])
      assert.isUndefined(opened[3])
      assert.strictEqual(new Set(opened).size, 4)
      const told = yield* tenant(organizationId)(
        sql<{
          contact: string
          id: string
        }>`SELECT data->'conversation'->'contact'->>'id' AS contact, data->'conversation'->>'id' AS id
          FROM events WHERE type = 'conversation.created' ORDER BY contact`
      )
      assert.sameDeepMembers(
        told.map(({ contact, id }) => [contact, id]),
        [
          [contacts[0].id, opened[1]],
          [contacts[1].id, opened[0]],
          [contacts[2].id, opened[2]]
        ]
      )
    })
  )

  it.effect("dates no report before the message, though the channel's clock is behind", () =>
    Effect.gen(function* () {
      const { organizationId, threads, messages } = yield* office(1)
      const written = messageIn(organizationId, threads[0], "Hello")
      const made = yield* messages.queue(written, Date.now())
      const reported = yield* messages.report(
        organizationId,
        { messageId: written.id, channelMessageId: `wamid.${written.id}` },
        { status: "sent", at: new Date(Date.now() - 60_000).toISOString() }
      )
      assert.deepInclude(reported, { status: "sent", sentAt: made?.createdAt ?? null })
    })
  )

  it.effect("applies reports that come together in their order, without waiting for other conversations", () =>
    Effect.gen(function* () {
      const { organizationId, threads, messages, sql } = yield* office(3)
      const written = threads.map((thread, i) => messageIn(organizationId, thread, `Hello ${i}`))
      yield* Effect.forEach(written, (message) => messages.queue(message, Date.now()), atOnce)
      const at = (second: number) => `2099-11-22T10:00:0${second}.000Z`
      const report = (i: number, status: "sent" | "delivered", second: number) =>
        messages.report(
          organizationId,
          { messageId: written[i].id, channelMessageId: `wamid.${written[i].id}` },
          { status, at: at(second) }
        )
      const [held, release] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holder = yield* Effect.forkChild(
        tenant(organizationId)(
          Effect.gen(function* () {
            yield* sql`SELECT 1 FROM conversations WHERE id = ${threads[2]} FOR UPDATE`
            yield* Deferred.succeed(held, undefined)
            yield* Deferred.await(release)
          })
        )
      )
      yield* Deferred.await(held)
      const busy = yield* Effect.forkChild(report(2, "sent", 1), { startImmediately: true })
      const unknown = messages.report(organizationId, { messageId: "msg_unknown" }, { status: "sent", at: at(1) })
      const [first, second, other, none] = yield* Effect.all(
        [report(0, "sent", 1), report(0, "delivered", 2), report(1, "delivered", 3), unknown],
        atOnce
      )
      assert.deepInclude(first, { status: "sent", sentAt: at(1), deliveredAt: null })
      assert.deepInclude(second, { status: "delivered", sentAt: at(1), deliveredAt: at(2) })
      assert.deepInclude(other, { status: "delivered", sentAt: null, deliveredAt: at(3) })
      assert.isUndefined(none)
      assert.isUndefined(busy.pollUnsafe())
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(holder)
      assert.deepInclude(yield* Fiber.join(busy), { status: "sent", sentAt: at(1) })
      const told = yield* tenant(organizationId)(
        sql<{ id: string; status: string }>`SELECT data->'message'->>'id' AS id, data->'message'->>'status' AS status
          FROM events WHERE type = 'message.status' ORDER BY position`
      )
      assert.deepStrictEqual(
        told.filter(({ id }) => id === written[0].id).map(({ status }) => status),
        ["sent", "delivered"]
      )
      assert.lengthOf(told, 4)
      assert.lengthOf(yield* tenant(organizationId)(sql`SELECT 1 FROM outbox`), 0)
    })
  )
})
