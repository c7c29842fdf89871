import { randomBytes } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import { Redis } from "effect/persistence"
import { ReservationBoard } from "../../../src/domain/voice/engine/ReservationBoard.ts"
import * as ParleyRedis from "../../../src/integrations/redis/Redis.ts"
import * as ReservationBoardRedis from "../../../src/integrations/redis/ReservationBoardRedis.ts"
import * as KeyRing from "../../../src/integrations/secrets/KeyRing.ts"
import { setupOf } from "../../actors/voice/engine/engine.ts"
import { agentOf } from "../../support/agent.ts"
import { eventually } from "../../support/eventually.ts"
import { redisUrl, startRedisOn, startRedisProcess } from "../../support/redis.ts"

const ring = Redacted.make(`k1:${randomBytes(32).toString("base64")}`)
const connection = (url: string) => ParleyRedis.layer({ url: Redacted.make(url) })
/** One process of several. */
const makeEngine = (url: string) =>
  Effect.map(
    Layer.build(
      Layer.fresh(ReservationBoardRedis.layer.pipe(Layer.provide([connection(url), KeyRing.layer({ ring })])))
    ),
    (services) => Context.get(services, ReservationBoard)
  )

const newReservation = () => {
  const callId = `call_${randomBytes(8).toString("hex")}`
  return { setup: setupOf(callId, { authToken: "a secret token" }), agent: agentOf(), token: `token of ${callId}` }
}

/** A process whose Redis has just been killed, and the reservation that it wants to post. */
const withoutRedis = Effect.gen(function* () {
  const { url, child } = yield* startRedisProcess
  const board = yield* makeEngine(url)
  const ended = new Promise((done) => child.once("exit", done))
  child.kill("SIGKILL")
  yield* Effect.promise(() => ended)
  return { url, board, reservation: newReservation() }
})

describe("reservations on the board", () => {
  it.live("are found complete by every process and taken by one, and the process that posted them learns of it", () =>
    Effect.gen(function* () {
      const [poster, other, third] = yield* Effect.all([1, 2, 3].map(() => makeEngine(redisUrl())))
      const heard: Array<string> = []
      yield* poster.onTaken((callId) => void heard.push(callId))
      const reservation = newReservation()
      const { callId } = reservation.setup
      assert.strictEqual(yield* poster.post(reservation), "posted")
      assert.deepStrictEqual(yield* other.find(callId, false), reservation)
      const takes = yield* Effect.all([other.take(callId), third.take(callId)], { concurrency: "unbounded" })
      assert.lengthOf(takes.filter(Boolean), 1)
      assert.isUndefined(yield* third.find(callId, false))
      yield* eventually("who posted it hears", () => heard.length > 0)
      assert.deepStrictEqual(heard, [callId])
      assert.isFalse(yield* poster.take(callId))
    }).pipe(Effect.scoped)
  )

  it.live(
    "are not made twice for the same webhook, before or after the stream came, while a returning call gets a new one",
    () =>
      Effect.gen(function* () {
        const [first, second] = yield* Effect.all([1, 2].map(() => makeEngine(redisUrl())))
        const reservation = newReservation()
        const { callId } = reservation.setup
        yield* first.post(reservation)
        assert.deepStrictEqual(yield* second.post({ ...reservation, token: "another" }), { token: reservation.token })
        yield* first.take(callId)
        assert.strictEqual(yield* second.post({ ...reservation, token: "another" }), "taken")
        const resume = { outcome: "busy", disclosed: true, history: [], nextSequence: 3, elapsedMs: 10 } as const
        const back = { ...reservation, setup: { ...reservation.setup, resume }, token: "another" }
        assert.strictEqual(yield* second.post(back), "posted")
        assert.deepStrictEqual(yield* first.find(callId, false), back)
      }).pipe(Effect.scoped)
  )

  it.live("hide the account's token and the agent's prompt from readers of Redis, and expire", () =>
    Effect.gen(function* () {
      const board = yield* makeEngine(redisUrl())
      const reservation = newReservation()
      yield* board.post(reservation)
      const key = `parley:reservation:${reservation.setup.callId}`
      const { send } = yield* Redis.Redis
      const stored = yield* send<string>("GET", key)
      for (const secret of [reservation.setup.authToken, reservation.token, reservation.agent.systemPrompt])
        assert.notInclude(stored, secret)
      const left = yield* send<number>("PTTL", key)
      assert.isAtMost(left, 30_000)
      assert.isAbove(left, 0)
    }).pipe(Effect.provide(Layer.suspend(() => connection(redisUrl()))), Effect.scoped)
  )

  it.live("wait while Redis is unavailable for a moment", () =>
    Effect.gen(function* () {
      const { url, board, reservation } = yield* withoutRedis
      const posted = yield* Effect.forkChild(board.post(reservation), { startImmediately: true })
      yield* Effect.sleep("1 second")
      yield* startRedisOn(Number(new URL(url).port))
      assert.strictEqual(yield* Fiber.join(posted), "posted")
      assert.deepStrictEqual(yield* board.find(reservation.setup.callId, false), reservation)
    }).pipe(Effect.scoped)
  )

  it.live("are reported as taken to a process that started before Redis", () =>
    Effect.gen(function* () {
      const { url, board } = yield* withoutRedis
      const heard: Array<string> = []
      yield* board.onTaken((callId) => void heard.push(callId))
      yield* startRedisOn(Number(new URL(url).port))
      const other = yield* makeEngine(url)
      yield* eventually(
        "it hears",
        Effect.gen(function* () {
          const reservation = newReservation()
          const { callId } = reservation.setup
          yield* board.post(reservation)
          assert.isTrue(yield* other.take(callId))
          yield* Effect.sleep("100 millis")
          return heard.includes(callId)
        })
      )
    }).pipe(Effect.scoped)
  )

  it.live("cannot be posted while Redis stays unavailable, and nobody else can then have taken them", () =>
    Effect.gen(function* () {
      const { board, reservation } = yield* withoutRedis
      assert.strictEqual(yield* board.post(reservation), "unreachable")
      assert.strictEqual(yield* board.find(reservation.setup.callId, false), "unreachable")
      assert.isTrue(yield* board.take(reservation.setup.callId))
    }).pipe(Effect.scoped)
  )
})
