/** Slots under every order of events: a model that counts calls by hand is compared after each step. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { CallSlots } from "../../../../src/actors/voice/engine/CallSlots.ts"

const organizations = ["org_a", "org_b", "org_c"] as const
const limits = { org_a: 3, org_b: 8, org_c: 100 }

type Step = readonly ["reserve" | "claim" | "release" | "takeOver", number]
const steps = fc.array(
  fc.tuple(fc.constantFrom("reserve", "claim", "release", "takeOver"), fc.nat(29)) as fc.Arbitrary<Step>,
  { maxLength: 400 }
)

const organizationOf = (call: number) => organizations[call % organizations.length]

describe("slots", () => {
  it("are never negative, never leaked and never above a limit, whatever happens in whatever order", () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 20 }), (events, capacity) => {
        const slots = new CallSlots(capacity)
        const holding = new Map<string, string>()
        for (const [what, number] of events) {
          const callId = `call_${number}`
          const organizationId = organizationOf(number)
          const before = slots.taken
          if (what === "reserve") {
            const held = slots.heldBy(organizationId)
            const refusal = slots.reserve(callId, organizationId, limits[organizationId])
            if (refusal === undefined && !holding.has(callId)) {
              assert.isBelow(before, capacity)
              assert.isBelow(held, limits[organizationId])
            }
            if (refusal === undefined) holding.set(callId, organizationId)
          } else if (what === "takeOver") {
            slots.takeOver(callId, organizationId)
            holding.set(callId, organizationId)
          } else if (what === "claim") assert.strictEqual(slots.claim(callId) && !holding.has(callId), false)
          else assert.strictEqual(slots.release(callId), holding.delete(callId))

          assert.strictEqual(slots.taken, holding.size)
          for (const organization of organizations)
            assert.strictEqual(
              slots.heldBy(organization),
              [...holding.values()].filter((holder) => holder === organization).length
            )
        }
        for (const callId of holding.keys()) slots.release(callId)
        assert.strictEqual(slots.taken, 0)
        assert.deepStrictEqual([...slots.calls()], [])
      })
    )
  })

  it("are claimed once for each call: a call that has one is not counted again", () => {
    const slots = new CallSlots(2)
    assert.isUndefined(slots.reserve("call_1", "org_a", 1))
    assert.isUndefined(slots.reserve("call_1", "org_a", 1))
    assert.strictEqual(slots.taken, 1)
    assert.isFalse(slots.isLive("call_1"))
    assert.deepStrictEqual([slots.claim("call_1"), slots.claim("call_1")], [true, false])
    assert.isTrue(slots.isLive("call_1"))
    assert.isFalse(slots.claim("call_2"))
  })

  it("are refused with the reason: first the organization's own limit, then the process's", () => {
    const slots = new CallSlots(2)
    slots.reserve("call_1", "org_a", 1)
    assert.strictEqual(slots.reserve("call_2", "org_a", 1), "organization_full")
    slots.reserve("call_3", "org_b", 5)
    assert.strictEqual(slots.reserve("call_4", "org_b", 5), "process_full")
    assert.strictEqual(slots.reserve("call_5", "org_a", 1), "organization_full")
  })

  it("are given to calls of another process even when none is left, and then no other call gets one", () => {
    const slots = new CallSlots(1)
    slots.reserve("call_1", "org_a", 5)
    slots.takeOver("call_2", "org_b")
    assert.strictEqual(slots.taken, 2)
    slots.release("call_1")
    assert.strictEqual(slots.reserve("call_3", "org_a", 5), "process_full")
    slots.release("call_2")
    assert.isUndefined(slots.reserve("call_3", "org_a", 5))
  })
})

describe("organizations that share a process", () => {
  const unlimited = Number.MAX_SAFE_INTEGER

  it("always leave room for another organization, however large one's burst is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 500 }), (capacity) => {
        const slots = new CallSlots(capacity)
        for (let i = 0; i < 3 * capacity; i++) slots.reserve(`burst_${i}`, "org_a", unlimited)
        assert.strictEqual(slots.taken, Math.ceil(capacity * 0.9))
        assert.isUndefined(slots.reserve("newcomer", "org_b", unlimited))
        assert.strictEqual(slots.reserve("again", "org_a", unlimited) === undefined, slots.taken < capacity * 0.9)
      })
    )
  })

  it("reach equal shares while one of them keeps offering ten times as many calls", () => {
    const slots = new CallSlots(100)
    const running: Record<string, Array<string>> = { org_a: [], org_b: [] }
    let calls = 0
    const offer = (organizationId: string) => {
      const callId = `call_${calls++}`
      if (slots.reserve(callId, organizationId, unlimited) === undefined) running[organizationId].push(callId)
    }
    for (let i = 0; i < 200; i++) offer("org_a")
    // In each round the oldest call of the burst ends, and all offer their calls again.
    for (let round = 0; round < 200; round++) {
      const over = running.org_a.length > running.org_b.length ? running.org_a.shift() : running.org_b.shift()
      if (over !== undefined) slots.release(over)
      for (let i = 0; i < 10; i++) offer("org_a")
      offer("org_b")
    }
    assert.isAtLeast(running.org_b.length, 33)
    assert.isAtLeast(running.org_a.length, 33)
  })
})
