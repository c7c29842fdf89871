import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { start } from "../../../simulators/moderation/Moderation.ts"
import { Moderation } from "../../../src/domain/ai/providers/Moderation.ts"
import { layer } from "../../../src/integrations/moderation/OpenAiModeration.ts"
import { playsInRealTime } from "../../support/Slowness.ts"

playsInRealTime()

const simulator = Effect.acquireRelease(
  Effect.promise(() => start({ flagWords: { bomb: "violence", "मार डालो": "harassment/threatening" } })),
  (moderation) => Effect.promise(() => moderation.close())
)

const check = (baseUrl: string, text: string, deadlineMs = 1_500) =>
  Effect.gen(function* () {
    const [verdict] = yield* (yield* Moderation).check([text])
    return verdict
  }).pipe(Effect.provide(layer({ baseUrl, apiKey: "sk-test", deadlineMs })))

describe("OpenAiModeration", () => {
  it.live("lets harmless text pass and names the categories of harmful text", () =>
    Effect.gen(function* () {
      const moderation = yield* simulator
      assert.deepStrictEqual(yield* check(moderation.url, "a bombastic hello"), { flagged: false, categories: [] })
      assert.deepStrictEqual(yield* check(moderation.url, "A BOMB!"), { flagged: true, categories: ["violence"] })
      assert.deepStrictEqual(yield* check(moderation.url, "उसे मार डालो।"), {
        flagged: true,
        categories: ["harassment/threatening"]
      })
    })
  )

  it.live("judges clause after clause over one connection", () =>
    Effect.gen(function* () {
      const moderation = yield* simulator
      yield* Effect.gen(function* () {
        const { check: judge } = yield* Moderation
        for (const clause of ["One.", "Two.", "Three."]) yield* judge([clause])
      }).pipe(Effect.provide(layer({ baseUrl: moderation.url, apiKey: "sk-test" })))
      assert.deepInclude(moderation.stats, { requests: 3, connections: 1 })
    })
  )

  it.live("keeps asking while the filter fails, as long as the caller can wait", () =>
    Effect.gen(function* () {
      const moderation = yield* simulator
      for (const status of [0, 500, 429]) {
        Object.assign(moderation.faults, { failNext: 3, status })
        assert.isFalse((yield* check(moderation.url, "hello")).flagged)
        assert.strictEqual(moderation.faults.failNext, 0)
      }
      Object.assign(moderation.faults, { failNext: 1_000, status: 500 })
      const began = performance.now()
      const error = yield* Effect.flip(check(moderation.url, "hello", 400))
      assert.strictEqual(error.reason, "unavailable")
      assert.isBelow(performance.now() - began, 1_000)
    })
  )

  it.live("asks again when a request gets no answer", () =>
    Effect.gen(function* () {
      const moderation = yield* simulator
      moderation.faults.hang = true
      const verdict = yield* Effect.forkChild(check(moderation.url, "hello", 1_000), { startImmediately: true })
      yield* Effect.sleep("200 millis")
      moderation.faults.hang = false
      assert.isFalse((yield* Fiber.join(verdict)).flagged)
      assert.strictEqual(moderation.stats.requests, 2)
    })
  )

  it.live("gives no verdict when the answer is late, malformed or a refusal", () =>
    Effect.gen(function* () {
      const moderation = yield* simulator
      moderation.faults.hang = true
      const began = performance.now()
      assert.strictEqual((yield* Effect.flip(check(moderation.url, "hello", 150))).reason, "timeout")
      assert.isBelow(performance.now() - began, 1_000)
      moderation.faults.hang = false
      moderation.faults.malformed = true
      assert.strictEqual((yield* Effect.flip(check(moderation.url, "hello"))).reason, "protocol")
      Object.assign(moderation.faults, { malformed: false, failNext: 1, status: 401 })
      assert.strictEqual((yield* Effect.flip(check(moderation.url, "hello"))).reason, "rejected")
    })
  )
})
