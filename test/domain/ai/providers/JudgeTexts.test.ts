import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { judgeText, judgeTexts, partsToJudge } from "../../../../src/domain/ai/providers/JudgeTexts.ts"
import { Moderation, ModerationError } from "../../../../src/domain/ai/providers/Moderation.ts"

/** A filter that flags the word "bomb"; it notes what it was asked, request by request. */
const filter = () => {
  const requests: Array<ReadonlyArray<string>> = []
  const layer = Layer.succeed(Moderation, {
    check: (texts) =>
      Effect.sync(() => {
        requests.push(texts)
        return texts.map((text) => ({
          flagged: text.includes("bomb"),
          categories: text.includes("bomb") ? ["violence"] : []
        }))
      })
  })
  return { requests, layer }
}

describe("texts for a model", () => {
  it.effect("are judged in one request, each with its own verdict", () =>
    Effect.gen(function* () {
      const { requests, layer } = filter()
      const flags = yield* judgeTexts(["hello", "a bomb", "", "  "]).pipe(Effect.provide(layer))
      assert.deepStrictEqual(flags, [undefined, { found: "a bomb", categories: ["violence"] }, undefined, undefined])
      assert.deepStrictEqual(requests, [["hello", "a bomb"]])
    })
  )

  it.effect("that are blank are not asked about", () =>
    Effect.gen(function* () {
      const { requests, layer } = filter()
      assert.deepStrictEqual(yield* judgeTexts(["", " \n"]).pipe(Effect.provide(layer)), [undefined, undefined])
      assert.isEmpty(requests)
    })
  )

  it.effect("cannot hide a word behind escapes of JSON", () =>
    Effect.gen(function* () {
      const { layer } = filter()
      const flag = yield* judgeText('{"say": "b\\u006fmb"}').pipe(Effect.provide(layer))
      assert.deepStrictEqual(flag?.categories, ["violence"])
    })
  )

  it("are judged to their last character, in parts that no word falls between, wherever it stands", () => {
    const word = "wherever"
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: 0, max: 40_000 }), (before, after) => {
        const parts = partsToJudge(`${"x".repeat(before)}${word}${"y".repeat(after)}`)
        assert.isTrue(parts.some((part) => part.includes(word)))
        assert.isTrue(parts.every((part) => part.length <= 2_000))
        assert.isAtMost(parts.length, Math.ceil((before + after) / 1_800) + 1)
        assert.isTrue(parts.at(-1)?.endsWith(after === 0 ? word : "y"))
      }),
      { numRuns: 200 }
    )
  })

  it.effect("that are long are judged in few requests, and only the flagged part is reported", () =>
    Effect.gen(function* () {
      const { requests, layer } = filter()
      const text = `${"word ".repeat(20_000)}bomb${" word".repeat(20_000)}`
      const flag = yield* judgeText(text).pipe(Effect.provide(layer))
      assert.isAtMost(flag?.found.length ?? 0, 4_001)
      assert.include(flag?.found, "bomb")
      assert.lengthOf(requests, 4)
    })
  )

  it.effect("without a verdict are not used", () =>
    Effect.gen(function* () {
      const away = Layer.succeed(Moderation, {
        check: () => Effect.fail(new ModerationError({ reason: "unavailable", message: "away" }))
      })
      const error = yield* Effect.flip(judgeTexts(["hello"]).pipe(Effect.provide(away)))
      assert.strictEqual(error._tag, "ModerationError")
    })
  )
})
