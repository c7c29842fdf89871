import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as Listening from "../../../src/actors/call/Listening.ts"
import { SpeechError, SpeechToText } from "../../../src/domain/Speech.ts"
import { agentOf } from "../../support/agent.ts"

const lost = (reason: SpeechError["reason"]) => new SpeechError({ provider: "test", reason, message: "test" })

/** A recogniser whose connections are refused for a reason, or are lost after `livesMs`. Counts the attempts. */
const recogniser = (behaviour: { readonly refuses: SpeechError["reason"] } | { readonly livesMs: number }) => {
  const attempts = { count: 0 }
  const transcription = (livesMs: number) => ({
    push: () => undefined,
    flush: () => undefined,
    transcripts: Stream.fromEffect(Effect.delay(Effect.fail(lost("unavailable")), livesMs))
  })
  const open = () =>
    Effect.suspend(() => {
      attempts.count++
      return "refuses" in behaviour
        ? Effect.fail(lost(behaviour.refuses))
        : Effect.succeed(transcription(behaviour.livesMs))
    })
  return { attempts, service: SpeechToText.of({ open }) }
}

const listening = (service: SpeechToText["Service"]) =>
  Listening.make(agentOf(), { transcript: () => undefined, partial: () => undefined }).run.pipe(
    Effect.provideService(SpeechToText, service),
    Effect.forkChild({ startImmediately: true })
  )
const over = (fiber: Fiber.Fiber<void>) => fiber.pollUnsafe() !== undefined

describe("listening to a provider in trouble", () => {
  it.effect("gives up at once when the request itself is wrong", () =>
    Effect.gen(function* () {
      const { attempts, service } = recogniser({ refuses: "rejected" })
      yield* Fiber.join(yield* listening(service))
      assert.strictEqual(attempts.count, 1)
    })
  )

  it.effect("goes on for about nine seconds when nothing can be reached", () =>
    Effect.gen(function* () {
      const { attempts, service } = recogniser({ refuses: "unavailable" })
      const fiber = yield* listening(service)
      yield* TestClock.adjust("9 seconds")
      assert.isFalse(over(fiber))
      yield* TestClock.adjust("1 second")
      assert.isTrue(over(fiber))
      assert.strictEqual(attempts.count, 9)
    })
  )

  it.effect("does not leave the caller unheard for ever with a provider that takes connections and drops them", () =>
    Effect.gen(function* () {
      const { attempts, service } = recogniser({ livesMs: 10 })
      const fiber = yield* listening(service)
      yield* TestClock.adjust("5 seconds")
      assert.isFalse(over(fiber))
      assert.isBelow(attempts.count, 8)
      yield* TestClock.adjust("5 seconds")
      assert.isTrue(over(fiber))
      assert.strictEqual(attempts.count, 8)
    })
  )

  it.effect("reopens a stream that is lost now and then for as long as the call lasts", () =>
    Effect.gen(function* () {
      const { attempts, service } = recogniser({ livesMs: 15_000 })
      const fiber = yield* listening(service)
      yield* TestClock.adjust("10 minutes")
      assert.isFalse(over(fiber))
      assert.strictEqual(attempts.count, 40)
      yield* Fiber.interrupt(fiber)
    })
  )
})
