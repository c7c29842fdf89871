/**
 * A process is killed after it stored a message and before it answered. Its client repeats the request with the same Idempotency-Key at the next
 * process: it is the same message, which is there once and reaches the channel once.
 */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { start as startChannel } from "../../simulators/channel/CloudApi.ts"
import { ChannelAccounts } from "../../src/domain/ChannelConnection.ts"
import { makeCluster, type TestCluster } from "../support/cluster.ts"
import { newConversation } from "../support/conversations.ts"
import { eventually } from "../support/eventually.ts"

const gate = 4_711

/** The database as its administrator sees it, who can keep an answer from being stored and a message from being taken for delivery. */
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
    /** What a process that is gone was doing is undone. */
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
        const look = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect)
        const env = { MESSAGING_BASE_URL: channel.url }
        const body = { to: contactId, type: "text", text: "Your order is on its way" }
        const headers = { "idempotency-key": "order-17" }

        const first = yield* cluster.start(env)
        const unanswered = first.call("POST", "/send", body, headers)
        const stored = yield* eventually("the message is stored, its answer is not", async () => {
          const held = (await look(database.waiting)).some(({ query }) => query.includes("idempotency_keys"))
          return held ? (await look(database.messages)).at(0)?.id : undefined
        })
        first.child.kill("SIGSTOP")
        first.child.kill("SIGKILL")
        assert.strictEqual((yield* Effect.promise(() => unanswered)).status, 0)
        yield* database.forgetSessions
        yield* database.open
        assert.strictEqual(channel.sent.length, 0)

        const next = yield* cluster.start(env)
        // Whether the first is still at work nobody knows until its lease has run out, in two minutes: here the clock is put forward.
        const early = yield* Effect.promise(() => next.call("POST", "/send", body, headers))
        assert.strictEqual(early.status, 409)
        assert.strictEqual(early.headers.get("retry-after"), "1")
        yield* database.sql`UPDATE idempotency_keys SET leased_until = leased_until - interval '2 minutes'`
        const answer = yield* Effect.promise(() => next.persistently("POST", "/send", body, "order-17"))
        assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
        assert.strictEqual(answer.body.messageId, stored)
        const again = yield* Effect.promise(() => next.call("POST", "/send", body, headers))
        assert.deepStrictEqual(again.body, answer.body)
        assert.strictEqual(again.headers.get("idempotent-replayed"), "true")

        assert.deepStrictEqual(yield* database.messages, [{ id: stored }])
        yield* eventually("the message is delivered", async () =>
          (await look(database.sql`SELECT message_id FROM outbox`)).length === 0 ? true : undefined
        )
        assert.strictEqual(channel.timesSent(stored), 1)
        assert.strictEqual(channel.sent.length, 1)
      }).pipe(Effect.scoped),
    150_000
  )
})
