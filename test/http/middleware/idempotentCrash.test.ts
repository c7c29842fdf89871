/**
 * A process is killed after it stored what was requested (a message, a call) and before it answered. Its client repeats the request with the
 * same Idempotency-Key at the next process. It gets the same message, which reaches the channel once, or the same call, which rings once.
 */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import type { SqlError } from "effect/sql"
import { start as startChannel } from "../../../simulators/channel/CloudApi.ts"
import { start as startTelephones } from "../../../simulators/telephone/TelephoneNetwork.ts"
import { ChannelAccounts } from "../../../src/domain/messaging/channel/ChannelConnection.ts"
import type { Answer } from "../../support/access.ts"
import { makeCluster, type TestCluster } from "../../support/cluster.ts"
import { newConversation } from "../../support/conversations.ts"
import { eventually } from "../../support/eventually.ts"
import { equippedToCall } from "../../support/outbound.ts"

const gate = 4_711

/** The database with its administrator's rights, which can block the storing of an answer and the delivery of a message. */
const makeDatabase = Effect.fnUntraced(function* (databaseUrl: string) {
  const services = yield* Layer.build(PgClient.layer({ url: Redacted.make(databaseUrl), maxConnections: 2 }))
  const sql = yield* Effect.provide(PgClient.PgClient, services)
  yield* sql`CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock(${sql.literal(`${gate}`)}); RETURN NEW; END $$`
  yield* sql`CREATE TRIGGER answers_wait BEFORE UPDATE ON idempotency_keys FOR EACH ROW WHEN (NEW.answer IS NOT NULL)
    EXECUTE FUNCTION wait_at_gate()`
  yield* sql`CREATE TRIGGER deliveries_wait BEFORE UPDATE ON outbox FOR EACH ROW EXECUTE FUNCTION wait_at_gate()`

  const closed = yield* Deferred.make<void>()
  const opened = yield* Deferred.make<void>()
  const gatekeeper = yield* sql`SELECT pg_advisory_xact_lock(${gate})`.pipe(
    Effect.andThen(Deferred.succeed(closed, undefined)),
    Effect.andThen(Deferred.await(opened)),
    sql.withTransaction,
    Effect.forkScoped
  )
  yield* Deferred.await(closed)

  const waiting = sql<{ query: string }>`SELECT query FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'advisory'`
  return {
    sql,
    waiting,
    messages: sql<{ id: string }>`SELECT id FROM messages`,
    endLeases: sql`UPDATE idempotency_keys SET leased_until = leased_until - interval '2 minutes'`,
    /** Rolls back what a killed process was doing. */
    forgetSessions: sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND usename = 'parley_app'`,
    open: Effect.andThen(Deferred.succeed(opened, undefined), Fiber.join(gatekeeper))
  }
})

const connectedTo = (
  { organizationId, provided }: TestCluster,
  number: ReturnType<Awaited<ReturnType<typeof startChannel>>["accounts"]["addNumber"]>
) =>
  Effect.gen(function* () {
    const { phoneNumberId, accountId: businessAccountId, accessToken, appSecret } = number
    const credentials = { phoneNumberId, businessAccountId, accessToken, appSecret, verifyToken: "verify-me" }
    yield* (yield* ChannelAccounts).save(organizationId, { ...credentials, phoneNumber: null, businessName: null })
    return yield* newConversation(organizationId)
  }).pipe(provided)

/** Kills the process in the middle of the request, which gets no answer. Its open transactions are rolled back. */
const killed = Effect.fnUntraced(function* (
  { child }: Effect.Success<ReturnType<TestCluster["start"]>>,
  unanswered: Promise<Answer>,
  database: Effect.Success<ReturnType<typeof makeDatabase>>
) {
  child.kill("SIGSTOP")
  child.kill("SIGKILL")
  assert.strictEqual((yield* Effect.promise(() => unanswered)).status, 0)
  yield* database.forgetSessions
  yield* database.open
})

/** The id of the stored record, once its answer waits to be stored. */
const storedUnanswered = (
  { waiting }: Effect.Success<ReturnType<typeof makeDatabase>>,
  stored: Effect.Effect<ReadonlyArray<{ readonly id: string }>, SqlError.SqlError>
) =>
  eventually(
    "it is stored, its answer is not",
    Effect.gen(function* () {
      const held = (yield* waiting).some(({ query }) => query.includes("idempotency_keys"))
      return held ? (yield* stored).at(0)?.id : undefined
    })
  )

describe("a process that is killed between storing a message and answering", () => {
  it.live(
    "is followed by one that answers with the same message, sent once",
    () =>
      Effect.gen(function* () {
        const channel = yield* Effect.acquireRelease(
          Effect.promise(() => startChannel()),
          ({ close }) => Effect.promise(() => close())
        )
        const cluster = yield* makeCluster
        const { contactId } = yield* connectedTo(cluster, channel.accounts.addNumber())
        const database = yield* makeDatabase(cluster.databaseUrl)
        const env = { MESSAGING_BASE_URL: channel.url }
        const body = { to: contactId, type: "text", text: "Your order is on its way" }
        const headers = { "idempotency-key": "order-17" }

        const first = yield* cluster.start(env)
        const unanswered = first.call("POST", "/send", body, headers)
        const stored = yield* storedUnanswered(database, database.messages)
        yield* killed(first, unanswered, database)
        assert.strictEqual(channel.sent.length, 0)

        const next = yield* cluster.start(env)
        // The next process cannot know whether the first still works until its lease expires after two minutes. The test moves the clock forward.
        const early = yield* Effect.promise(() => next.call("POST", "/send", body, headers))
        assert.strictEqual(early.status, 409)
        assert.strictEqual(early.headers.get("retry-after"), "1")
        yield* database.endLeases
        const answer = yield* Effect.promise(() => next.persistently("POST", "/send", body, "order-17"))
        assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
        assert.strictEqual(answer.body.messageId, stored)
        const again = yield* Effect.promise(() => next.call("POST", "/send", body, headers))
        assert.deepStrictEqual(again.body, answer.body)
        assert.strictEqual(again.headers.get("idempotent-replayed"), "true")

        assert.deepStrictEqual(yield* database.messages, [{ id: stored }])
        yield* eventually(
          "the message is delivered",
          Effect.map(database.sql`SELECT message_id FROM outbox`, (left) => (left.length === 0 ? true : undefined))
        )
        assert.strictEqual(channel.timesSent(stored), 1)
        assert.strictEqual(channel.sent.length, 1)
      }).pipe(Effect.scoped),
    240_000
  )
})

describe("a process that is killed between queueing a call and answering", () => {
  it.live(
    "is followed by one that answers with the same call, whose telephone rings once",
    () =>
      Effect.gen(function* () {
        const cluster = yield* makeCluster
        const database = yield* makeDatabase(cluster.databaseUrl)
        const { agent, contact, connection } = yield* equippedToCall(cluster.organizationId).pipe(cluster.provided)
        const network = yield* Effect.acquireRelease(
          Effect.promise(() => startTelephones({ ...connection, webhookUrl: "http://127.0.0.1:9" })),
          ({ close }) => Effect.promise(close)
        )
        network.placed.callees.set(contact.phone, { outcome: "busy" })
        const env = { TWILIO_BASE_URL: network.url }
        const path = `/api/voice-agents/${agent.id}/calls`
        const body = { to: contact.phone }
        const calls = database.sql<{ id: string }>`SELECT id FROM calls`

        const first = yield* cluster.start(env)
        const unanswered = first.call("POST", path, body, { "idempotency-key": "reminder-17" })
        const stored = yield* storedUnanswered(database, calls)
        yield* eventually("the telephone rings", () => network.placed.calls.at(0))
        yield* killed(first, unanswered, database)

        const next = yield* cluster.start(env)
        yield* database.endLeases
        const answer = yield* Effect.promise(() => next.persistently("POST", path, body, "reminder-17"))
        assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
        assert.strictEqual(answer.body.id, stored)
        assert.deepStrictEqual(yield* calls, [{ id: stored }])
        yield* eventually(
          "nothing is left to be placed",
          Effect.map(database.sql`SELECT call_id FROM placements WHERE state = 'waiting'`, (left) =>
            left.length === 0 ? true : undefined
          )
        )
        assert.lengthOf(network.placed.calls, 1)
      }).pipe(Effect.scoped),
    240_000
  )
})
