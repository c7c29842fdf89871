/**
 * Requests and media messages that are almost right. Each day takes another part of what the seeds give, so that no day's tests take long;
 * MUTATION_SEED repeats those of a day. `npm run bench -- hostile --fuzz` sends 100,000 requests at once.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../support/eventually.ts"
import { heldBytes } from "../support/garbage.ts"
import { connect, listen, startOf } from "../support/mediaSocket.ts"
import { startMessaging } from "../support/messaging.ts"
import { sendMutated } from "../support/mutatedClient.ts"
import { mediaMessagesOf, requestsOf } from "../support/mutations.ts"
import { operationsOf } from "../support/operations.ts"
import { knownContact } from "../support/privacy.ts"

const dayMs = 86_400_000
const seed = Number(process.env.MUTATION_SEED ?? Math.floor(Date.now() / dayMs))
const requests = 2_000
const messages = 100_000
/** Messages that are sent before the socket is given time to take them. */
const batch = 5_000
/** What the tests may leave behind: compiled code and caches. */
const mostBytes = 50e6

/** Ends in a failure what nobody handles: a promise that is rejected, or an error that is thrown at no one. */
const unhandled = Effect.acquireRelease(
  Effect.sync(() => {
    const seen: Array<unknown> = []
    const note = (cause: unknown) => void seen.push(cause)
    process.on("unhandledRejection", note)
    return { seen, note }
  }),
  ({ note }) => Effect.sync(() => void process.removeListener("unhandledRejection", note))
)

describe(`what is almost right (MUTATION_SEED=${seed})`, () => {
  it.live(
    "is answered in shape by every route, and the service goes on as before",
    () =>
      Effect.gen(function* () {
        const { seen } = yield* unhandled
        const messaging = yield* startMessaging
        const { world, key, base } = messaging
        const known = yield* Effect.promise(() => knownContact(messaging))
        const next = requestsOf(operationsOf(world.contract.document), key, Object.values(known), seed)
        const before = heldBytes()
        const { problems, statuses } = yield* Effect.promise(() =>
          sendMutated(Number(new URL(base).port), next, requests)
        )
        assert.deepStrictEqual(problems, [])
        assert.containsAllKeys(statuses, ["200", "400", "401", "403", "404"])
        assert.deepStrictEqual(seen, [])
        assert.isBelow(heldBytes() - before, mostBytes)
        const { status } = yield* Effect.promise(() => world.call("GET", "/api/messaging-api/contacts", undefined, key))
        assert.strictEqual(status, 200)
      }).pipe(Effect.scoped),
    240_000
  )

  it.live(
    "is ignored by a call's media stream, which goes on as before",
    () =>
      Effect.gen(function* () {
        const { seen } = yield* unhandled
        const { url, streams, logs } = yield* listen()
        const socket = yield* connect(url)
        socket.send(startOf())
        yield* eventually("start", () => streams.line !== undefined)
        const next = mediaMessagesOf(seed)
        const before = heldBytes()
        for (let sent = 0; sent < messages; sent += batch) {
          for (let index = 0; index < batch; index++) {
            const message = next()
            // Text that is not UTF-8 closes the socket, as RFC 6455 has it.
            socket.send(message, { binary: Buffer.compare(Buffer.from(message.toString("utf8")), message) !== 0 })
          }
          yield* eventually("what was sent is taken", () => socket.bufferedAmount === 0)
        }
        socket.send('{"event":"media","media":{"timestamp":"987654321","payload":"AAAA"}}')
        yield* eventually("the media after it", () => streams.heard.at(-1) === "media 3 at 987654321")
        assert.strictEqual(streams.closed, 0)
        assert.lengthOf(streams.starts, 1)
        // Each kind is logged once, whatever comes.
        assert.isBelow(logs.length, 10)
        assert.deepStrictEqual(seen, [])
        assert.isBelow(heldBytes() - before, mostBytes)
      }).pipe(Effect.scoped),
    240_000
  )

  it.live("opens no call before a stream has started", () =>
    Effect.gen(function* () {
      const { url, streams } = yield* listen()
      const next = mediaMessagesOf(seed)
      for (let index = 0; index < 200; index++) {
        const socket = yield* connect(url)
        socket.send(next(), { binary: index % 3 === 0 })
      }
      const good = yield* connect(url)
      good.send(startOf())
      yield* eventually("a good start", () => streams.line !== undefined)
      assert.deepStrictEqual(streams.heard, [])
    }).pipe(Effect.scoped)
  )
})
