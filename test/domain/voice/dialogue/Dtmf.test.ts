import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { DtmfCollector, describeKeys } from "../../../../src/domain/voice/dialogue/Dtmf.ts"

/** Presses all keys at once, at `nowMs`. */
const press = (collector: DtmfCollector, keys: string, nowMs = 0) =>
  [...keys].map((digit) => collector.press(digit, nowMs))

const keys = fc.string({ unit: fc.constantFrom(..."0123456789*ABCD"), minLength: 1, maxLength: 32 })

describe("keys the caller presses", () => {
  it("are one input when # ends them, at once", () => {
    const collector = new DtmfCollector()
    assert.deepStrictEqual(press(collector, "123#"), ["collected", "collected", "collected", "complete"])
    assert.strictEqual(collector.due(0), "123#")
    assert.isUndefined(collector.due(60_000))
    assert.strictEqual(describeKeys("123#"), "pressed 1 2 3 #")
  })

  it("are one input when the caller presses nothing more for three seconds", () => {
    const collector = new DtmfCollector()
    collector.press("4", 1_000)
    collector.press("2", 3_500)
    assert.isUndefined(collector.due(6_499))
    assert.strictEqual(collector.due(6_500), "42")
    assert.isUndefined(collector.due(6_500))
  })

  it("may be # alone, and nothing is due before any was pressed", () => {
    const collector = new DtmfCollector()
    assert.isUndefined(collector.due(1_000_000))
    assert.strictEqual(collector.press("#", 1_000_000), "complete")
    assert.strictEqual(collector.due(1_000_000), "#")
  })

  it("are ignored when no telephone has them", () => {
    const collector = new DtmfCollector()
    for (const digit of ["", "12", "E", "a", "x", " ", "१", "\n", "1\n", "💥"])
      assert.strictEqual(collector.press(digit, 0), "ignored")
    assert.isUndefined(collector.due(10_000))
  })

  it("that come after # wait until the input was taken", () => {
    const collector = new DtmfCollector()
    press(collector, "1#")
    assert.strictEqual(collector.press("2", 0), "ignored")
    assert.strictEqual(collector.due(0), "1#")
    assert.strictEqual(collector.press("2", 0), "collected")
  })

  it("come out once and in order, for any keys and any pauses shorter than the limit", () => {
    fc.assert(
      fc.property(
        keys,
        fc.array(fc.integer({ min: 0, max: 2_999 }), { minLength: 32, maxLength: 32 }),
        (input, pauses) => {
          const collector = new DtmfCollector()
          let now = 0
          for (const [i, digit] of [...input].entries()) {
            now += pauses[i]
            assert.isUndefined(collector.due(now))
            assert.strictEqual(collector.press(digit, now), "collected")
          }
          assert.isUndefined(collector.due(now + 2_999))
          assert.strictEqual(collector.due(now + 3_000), input)
          assert.isUndefined(collector.due(now + 9_000))
        }
      )
    )
  })

  it("do not delay the end of the input, nor cost more each, when a machine presses ten thousand", () => {
    const collector = new DtmfCollector({ maxDigits: 8, interDigitMs: 1_000 })
    for (let i = 0; i < 10_000; i++) {
      const expected = i < 8 ? "collected" : "ignored"
      assert.strictEqual(collector.press(String(i % 10), i * 0.1), expected)
    }
    assert.strictEqual(collector.due(1_001), "01234567")
  })

  it("never make an input longer than the limit and its #, whatever is sent when", () => {
    const events = fc.array(
      fc.tuple(fc.oneof(fc.constantFrom(..."0123456789*#ABCD"), fc.string({ maxLength: 3 })), fc.nat({ max: 2_000 })),
      { maxLength: 200 }
    )
    fc.assert(
      fc.property(events, fc.integer({ min: 1, max: 10 }), (pressed, maxDigits) => {
        const collector = new DtmfCollector({ maxDigits })
        let now = 0
        for (const [digit, pause] of pressed) {
          now += pause
          const taken = collector.due(now)
          if (taken !== undefined) assert.match(taken, new RegExp(`^[0-9*A-D]{0,${maxDigits}}#?$`))
          collector.press(digit, now)
        }
      })
    )
  })
})
