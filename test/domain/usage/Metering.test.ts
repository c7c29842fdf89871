import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { plans, voiceTermsOf } from "../../../src/domain/people/organizations/Organization.ts"
import {
  billedMinutes,
  marginPercent,
  parseUsd,
  providerCost,
  providerMicros,
  usageOf,
  usd
} from "../../../src/domain/usage/Metering.ts"

const threeMinutes = 180
const halfCent = 5_000
const upToHalfCent = (micros: number) => Math.ceil(micros / halfCent) * halfCent

describe("what a call costs", () => {
  it("every minute that a call began is billed, for each call separately", () => {
    const seconds = [0, 0.9, 1, 59.9, 60, 60.9, 61, 180, 180.4]
    assert.deepStrictEqual(seconds.map(billedMinutes), [0, 0, 1, 1, 1, 1, 2, 3, 3])
  })

  it("a 3-minute call costs the specification's 0.035 USD with an Indic voice and 0.050 with an English one, rounded up to half a cent", () => {
    const [indic, english] = (["indic", "english"] as const).map((family) => providerCost(threeMinutes, family))
    assert.deepStrictEqual(indic, { speechToTextMicros: 16_500, languageModelMicros: 400, textToSpeechMicros: 18_000 })
    assert.deepStrictEqual([usd(providerMicros(indic)), usd(providerMicros(english))], ["0.0349", "0.0469"])
    assert.strictEqual(usd(upToHalfCent(providerMicros(indic))), "0.035")
    assert.strictEqual(usd(upToHalfCent(providerMicros(english))), "0.05")
  })

  it("the specification's margin of 65 to 75 percent is reached with the carrier's minute at about 0.02 USD, which its constants leave out", () => {
    const price = 3 * plans.PREMIUM.voice.overageMicrosPerMinute
    const margins = (carrierPerMinute: number) =>
      (["indic", "english"] as const).map((family) =>
        marginPercent(price, providerMicros(providerCost(threeMinutes, family)) + 3 * carrierPerMinute)
      )
    assert.deepStrictEqual(margins(0), [90.3, 87])
    assert.deepStrictEqual(margins(18_400), [75, 71.6])
    assert.deepStrictEqual(margins(26_300), [68.4, 65.1])
    assert.isNull(marginPercent(0, 5))
  })

  it("money is written exactly, and what is written is read back", () => {
    assert.deepStrictEqual([0, 1, 120_000, 34_900, 12_345_678, -500_000].map(usd), [
      "0.00",
      "0.000001",
      "0.12",
      "0.0349",
      "12.345678",
      "-0.50"
    ])
    fc.assert(fc.property(fc.integer({ min: 0, max: 9_999_999_999 }), (micros) => parseUsd(usd(micros)) === micros))
    for (const wrong of ["", "-1", "1.2.3", "1,5", "0.1234567", "abc", "1e3", " 1", "12345"])
      assert.isUndefined(parseUsd(wrong))
  })

  it("included and further minutes add up, and layers to their total", () => {
    const shown = usageOf({
      ...providerCost(125, "english"),
      calls: 1,
      seconds: 125,
      minutes: 3,
      overageMinutes: 2,
      priceMicros: 240_000
    })
    assert.deepInclude(shown, { minutes: 3, includedMinutes: 1, overageMinutes: 2, price: "0.24" })
    assert.deepStrictEqual(shown.providerCost, {
      speechToText: "0.011458",
      languageModel: "0.0004",
      textToSpeech: "0.03",
      total: "0.041858"
    })
  })

  it("Premium includes 500 minutes and asks 0.12 USD for a further one; terms of their own are for Enterprise", () => {
    const own = { minutesPerMonth: 10_000, overageMicrosPerMinute: 70_000 }
    assert.deepStrictEqual(voiceTermsOf({ plan: "PREMIUM", voiceTerms: own }), {
      minutesPerMonth: 500,
      overageMicrosPerMinute: 120_000
    })
    assert.deepStrictEqual(voiceTermsOf({ plan: "ENTERPRISE", voiceTerms: own }), own)
    assert.strictEqual(voiceTermsOf({ plan: "ENTERPRISE", voiceTerms: null }).minutesPerMonth, 0)
  })
})
