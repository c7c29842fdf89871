import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { deliveryDefaults, givenUp, retryPauseMs } from "../../../../src/domain/messaging/sending/DeliveryRules.ts"
import { shareOf } from "../../../../src/integrations/postgres/messaging/conversations/OutboxQueue.ts"

const random = fc.double({ min: 0, max: 0.999_999, noNaN: true })

describe("the pause before a message is tried again", () => {
  it("doubles from a second to five minutes, and lasts at random between half and all of that", () => {
    expect([1, 2, 3, 9, 10, 1_000].map((attempt) => retryPauseMs(deliveryDefaults, attempt, 0))).toEqual([
      500, 1_000, 2_000, 128_000, 150_000, 150_000
    ])
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), random, (attempt, luck) => {
        const full = Math.min(300_000, 1_000 * 2 ** (attempt - 1))
        const pause = retryPauseMs(deliveryDefaults, attempt, luck)
        return pause >= full / 2 && pause <= full
      })
    )
  })

  it("is never shorter than the channel asks for", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        random,
        fc.integer({ min: 0, max: 3_600_000 }),
        (attempt, luck, asked) => {
          return retryPauseMs(deliveryDefaults, attempt, luck, asked) >= asked
        }
      )
    )
  })

  it("has an end that says how long and why", () => {
    expect(givenUp(24 * 3_600_000, "It is away.").reason).toBe(
      "The channel could not be reached for 24 hours, so this message was given up. The last reason: It is away."
    )
  })

  it("free places are shared evenly, and every organization gets at least one", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 256 }), fc.integer({ min: 0, max: 1_000 }), (free, organizations) => {
        const share = shareOf(free, organizations)
        return share >= 1 && (share === 1 || share * organizations <= free || organizations === 0)
      })
    )
  })
})
