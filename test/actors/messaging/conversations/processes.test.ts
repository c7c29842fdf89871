/** Two real processes on one database: one is frozen and thawed, one is killed, one is asked to stop. Messages are sent all the while. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Answer } from "../../../support/access.ts"
import { makeCluster, type TestCluster } from "../../../support/cluster.ts"
import { newConversation } from "../../../support/conversations.ts"
import { connectChannel } from "../../../support/messaging.ts"
import { playsInRealTime } from "../../../support/Slowness.ts"

playsInRealTime()

const seconds = (begun: number) => (performance.now() - begun) / 1_000

/** Enough conversations that each process owns some. */
const conversationsOf = ({ organizationId, provided }: TestCluster) =>
  Effect.andThen(
    connectChannel(organizationId),
    Effect.forEach(Array.from({ length: 12 }), () => newConversation(organizationId))
  ).pipe(provided)

/** A channel that cannot be reached: what is sent waits. */
const nowhere = { MESSAGING_BASE_URL: "http://127.0.0.1:9" }

interface Told {
  readonly type: string
  readonly conversationId: string
  readonly status: string
}

describe("of two processes with conversations,", () => {
  it.live(
    "a frozen owner writes nothing when it thaws, a killed one is replaced by the other, and a stopped one hands over",
    () =>
      Effect.gen(function* () {
        const cluster = yield* makeCluster
        const { sql, asTenant, balanced } = cluster
        const places = yield* conversationsOf(cluster)
        const [a, b] = yield* Effect.all([cluster.start(nowhere), cluster.start(nowhere)], { concurrency: 2 })
        yield* balanced(2)

        const send = (through: typeof a, n: number, words: string) =>
          through.persistently("POST", "/send", { to: places[n].contactId, type: "text", text: words }, `${words}-${n}`)
        const all = <A>(each: (n: number) => Promise<A>) => Promise.all(places.map((_, n) => each(n)))
        const accepted = (answers: ReadonlyArray<{ readonly status: number; readonly body: unknown }>) => {
          for (const { status, body } of answers) assert.strictEqual(status, 200, JSON.stringify(body))
        }
        accepted(yield* Effect.promise(() => all((n) => send(b, n, "before"))))

        // Frozen: requests that were sent to it wait in its sockets until it thaws.
        a.child.kill("SIGSTOP")
        const frozen = performance.now()
        const late = all((n) => b.call("PATCH", `/chats/${places[n].conversationId}`, { status: "OPEN" }))
        const during = all(async (n) => {
          const answer = await send(b, n, "during")
          return { ...answer, after: seconds(frozen) }
        })
        const sent = yield* Effect.promise(() => during)
        accepted(sent)
        const waits = sent.map(({ after }) => after)
        // Conversations of the living owner were not disturbed. The others waited for a new owner.
        assert.isBelow(Math.min(...waits), 3)
        assert.isAbove(Math.max(...waits), 3)
        yield* Effect.promise(() => late)
        const resolved = yield* Effect.promise(() =>
          all((n) => b.persistently("PATCH", `/chats/${places[n].conversationId}`, { status: "RESOLVED" }))
        )
        for (const { status } of resolved) assert.strictEqual(status, 200)
        const settled = yield* sql<{ now: string }>`SELECT pg_current_xact_id()::text AS now`
        yield* Effect.sleep(Math.max(0, 12_000 - (performance.now() - frozen)))
        a.child.kill("SIGCONT")
        yield* balanced(2)
        const written = yield* asTenant(
          sql<Told>`SELECT type, data->'conversation'->>'id' AS conversation_id FROM events
            WHERE type LIKE 'conversation.%' AND transaction > ${settled[0].now}::text::xid8`
        )
        assert.deepStrictEqual(written, [])
        const statuses = yield* asTenant(sql<Told>`SELECT DISTINCT status FROM conversations`)
        assert.deepStrictEqual(statuses, [{ status: "RESOLVED" } as Told])

        // Killed, as owner of its share again.
        a.child.kill("SIGKILL")
        const killed = performance.now()
        const answered = yield* Effect.promise(() =>
          all(async (n) => {
            const answer = await send(b, n, "killed")
            return { ...answer, after: seconds(killed) }
          })
        )
        accepted(answered)
        const gaps = answered.map(({ after }) => after)
        assert.isBelow(Math.max(...gaps), 10)
        assert.isAbove(Math.max(...gaps), 1)

        // Asked to stop, in the middle of work.
        const c = yield* cluster.start(nowhere)
        yield* balanced(2)
        const steady = all(async (n) => {
          const answers: Array<Answer> = []
          for (let i = 0; i < 6; i++) {
            const status = i % 2 === 0 ? "OPEN" : "RESOLVED"
            answers.push(await c.call("PATCH", `/chats/${places[n].conversationId}`, { status }))
            await new Promise((done) => setTimeout(done, 300))
          }
          return answers
        })
        yield* Effect.sleep("200 millis")
        b.child.kill("SIGTERM")
        const handedOver = yield* Effect.promise(() => steady)
        for (const { status, body } of handedOver.flat()) assert.strictEqual(status, 200, JSON.stringify(body))
        yield* Effect.promise(() => b.ended)

        // Each message is stored once and queued once.
        const counted = yield* asTenant(
          sql<{
            text: string
            stored: number
            told: number
          }>`SELECT m.content->>'text' AS text, count(DISTINCT m.id)::int AS stored,
            count(e.id)::int AS told FROM messages m LEFT JOIN events e
              ON e.type = 'message.queued' AND e.data->'message'->>'id' = m.id GROUP BY 1 ORDER BY 1`
        )
        const each = { stored: places.length, told: places.length }
        assert.deepStrictEqual(counted, [
          { text: "before", ...each },
          { text: "during", ...each },
          { text: "killed", ...each }
        ])
      }).pipe(Effect.scoped),
    240_000
  )

  it.live(
    "one that was frozen while the other asked it things ends by itself when it is told to stop",
    () =>
      Effect.gen(function* () {
        const cluster = yield* makeCluster
        const places = yield* conversationsOf(cluster)
        const [a, b] = yield* Effect.all([cluster.start(nowhere), cluster.start(nowhere)], { concurrency: 2 })
        yield* cluster.balanced(2)
        for (const { log } of [a, b]) assert.include(log(), "Without REDIS_URL each process counts alone")
        const send = (through: typeof a, words: string) =>
          Promise.all(
            places.map(({ contactId }, n) =>
              through.persistently("POST", "/send", { to: contactId, type: "text", text: words }, `${words}-${n}`)
            )
          )
        yield* Effect.promise(() => send(a, "before"))

        // It answers the requests of this time when it thaws, although their senders have closed the connections.
        a.child.kill("SIGSTOP")
        const late = places.map(({ conversationId }) => b.call("PATCH", `/chats/${conversationId}`, { status: "OPEN" }))
        const asked = send(b, "frozen")
        yield* Effect.sleep("20 seconds")
        a.child.kill("SIGCONT")
        yield* Effect.sleep("1 second")
        a.child.kill("SIGTERM")
        const told = performance.now()
        const code = yield* Effect.promise(() => a.ended)
        assert.isBelow(seconds(told), 15)
        // The watch of `Stopping.endSoon` did not end it: that ends a process that does not close with the exit code 1.
        assert.strictEqual(code, 130)
        assert.notInclude(a.log(), "did not close in time")
        for (const { status } of yield* Effect.promise(() => asked)) assert.strictEqual(status, 200)
        yield* Effect.promise(() => Promise.all(late))
      }).pipe(Effect.scoped),
    240_000
  )
})
