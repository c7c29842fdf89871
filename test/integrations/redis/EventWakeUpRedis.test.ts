import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { EventWakeUp, makeEventWakeUp } from "../../../src/domain/events/EventWakeUp.ts"
import * as EventWakeUpRedis from "../../../src/integrations/redis/EventWakeUpRedis.ts"
import * as ParleyRedis from "../../../src/integrations/redis/Redis.ts"
import { freePort } from "../../../src/integrations/web/FreePort.ts"
import { eventually } from "../../support/eventually.ts"
import { startRedisOn, startRedisProcess } from "../../support/redis.ts"

/** One process of several: its wake-up, and how often others woke it. */
const node = Effect.fnUntraced(function* (url: string) {
  const wakeUp = makeEventWakeUp()
  const heard = { own: 0, all: 0 }
  wakeUp.listen(() => void heard.own++, { relayed: false })
  wakeUp.listen(() => void heard.all++, { relayed: true })
  yield* Layer.build(EventWakeUpRedis.layer.pipe(Layer.provide(ParleyRedis.layer({ url: Redacted.make(url) })))).pipe(
    Effect.provideService(EventWakeUp, wakeUp)
  )
  return { wakeUp, heard }
})

describe("the wake-up of the event log", () => {
  it.live("reaches processes that started before Redis", () =>
    Effect.gen(function* () {
      const port = yield* Effect.promise(freePort)
      const url = `redis://127.0.0.1:${port}`
      const [a, b] = [yield* node(url), yield* node(url)]
      yield* startRedisOn(port)
      yield* eventually("the other process heard it", () => {
        a.wakeUp.wake()
        return b.heard.all > 0
      })
    }).pipe(Effect.scoped)
  )

  it.live("reaches the other processes, does not reach its own twice, and sends few messages for many wake-ups", () =>
    Effect.gen(function* () {
      const { url } = yield* startRedisProcess
      const [a, b] = [yield* node(url), yield* node(url)]
      yield* eventually("the other process heard it", () => {
        a.wakeUp.wake()
        return b.heard.all > 0
      })
      const before = { ...b.heard }
      for (let i = 0; i < 1_000; i++) a.wakeUp.wake()
      yield* eventually("it heard of these, too", () => b.heard.all > before.all)
      yield* Effect.sleep("300 millis")
      assert.isBelow(b.heard.all - before.all, 20)
      assert.strictEqual(b.heard.own, 0)
      assert.strictEqual(a.heard.all, a.heard.own)
    }).pipe(Effect.scoped)
  )
})
