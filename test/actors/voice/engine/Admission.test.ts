/** Slots under every order of events: a model that counts calls by hand is compared after each step. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { Admission } from "../../../../src/actors/voice/engine/Admission.ts"

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
        const admission = new Admission(capacity)
        const holding = new Map<string, string>()
        for (const [what, number] of events) {
          const callId = `call_${number}`
          const organizationId = organizationOf(number)
          const before = admission.taken
          if (what === "reserve") {
            const held = admission.heldBy(organizationId)
            const refusal = admission.reserve(callId, organizationId, limits[organizationId])
            if (refusal === undefined && !holding.has(callId)) {
              assert.isBelow(before, capacity)
              assert.isBelow(held, limits[organizationId])
            }
            if (refusal === undefined) holding.set(callId, organizationId)
          } else if (what === "takeOver") {
            admission.takeOver(callId, organizationId)
            holding.set(callId, organizationId)
          } else if (what === "claim") assert.strictEqual(admission.claim(callId) && !holding.has(callId), false)
          else assert.strictEqual(admission.release(callId), holding.delete(callId))

          assert.strictEqual(admission.taken, holding.size)
          for (const organization of organizations)
            assert.strictEqual(
              admission.heldBy(organization),
              [...holding.values()].filter((holder) => holder === organization).length
            )
        }
        for (const callId of holding.keys()) admission.release(callId)
        assert.strictEqual(admission.taken, 0)
        assert.deepStrictEqual([...admission.calls()], [])
      })
    )
  })

  it("are claimed once, and a call that has one is not counted twice", () => {
    const admission = new Admission(2)
    assert.isUndefined(admission.reserve("call_1", "org_a", 1))
    assert.isUndefined(admission.reserve("call_1", "org_a", 1))
    assert.strictEqual(admission.taken, 1)
    assert.isFalse(admission.isLive("call_1"))
    assert.deepStrictEqual([admission.claim("call_1"), admission.claim("call_1")], [true, false])
    assert.isTrue(admission.isLive("call_1"))
    assert.isFalse(admission.claim("call_2"))
  })

  it("say why there is none: first the organization's own limit, then the process", () => {
    const admission = new Admission(2)
    admission.reserve("call_1", "org_a", 1)
    assert.strictEqual(admission.reserve("call_2", "org_a", 1), "organization_full")
    admission.reserve("call_3", "org_b", 5)
    assert.strictEqual(admission.reserve("call_4", "org_b", 5), "process_full")
    assert.strictEqual(admission.reserve("call_5", "org_a", 1), "organization_full")
  })

  it("taken over from another process are given even when there are none left, and then nobody else gets one", () => {
    const admission = new Admission(1)
    admission.reserve("call_1", "org_a", 5)
    admission.takeOver("call_2", "org_b")
    assert.strictEqual(admission.taken, 2)
    admission.release("call_1")
    assert.strictEqual(admission.reserve("call_3", "org_a", 5), "process_full")
    admission.release("call_2")
    assert.isUndefined(admission.reserve("call_3", "org_a", 5))
  })
})

describe("organizations that share a process", () => {
  const unlimited = Number.MAX_SAFE_INTEGER

  it("always leave room for a newcomer, however large one tenant's burst is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 500 }), (capacity) => {
        const admission = new Admission(capacity)
        for (let i = 0; i < 3 * capacity; i++) admission.reserve(`burst_${i}`, "org_a", unlimited)
        assert.strictEqual(admission.taken, Math.ceil(capacity * 0.9))
        assert.isUndefined(admission.reserve("newcomer", "org_b", unlimited))
        assert.strictEqual(
          admission.reserve("again", "org_a", unlimited) === undefined,
          admission.taken < capacity * 0.9
        )
      })
    )
  })

  it("come to an equal share while one of them keeps offering ten times as many calls", () => {
    const admission = new Admission(100)
    const running: Record<string, Array<string>> = { org_a: [], org_b: [] }
    let calls = 0
    const offer = (organizationId: string) => {
      const callId = `call_${calls++}`
      if (admission.reserve(callId, organizationId, unlimited) === undefined) running[organizationId].push(callId)
    }
    for (let i = 0; i < 200; i++) offer("org_a")
    // Each round the oldest call of the burst ends, and the crowd is at the door again.
    for (let round = 0; round < 200; round++) {
      const over = running.org_a.length > running.org_b.length ? running.org_a.shift() : running.org_b.shift()
      if (over !== undefined) admission.release(over)
      for (let i = 0; i < 10; i++) offer("org_a")
      offer("org_b")
    }
    assert.isAtLeast(running.org_b.length, 33)
    assert.isAtLeast(running.org_a.length, 33)
  })
})
