import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { LostCalls } from "../../../../src/actors/voice/engine/LostCalls.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const lost = (...callIds: ReadonlyArray<string>) => {
  const calls = new LostCalls()
  const told: Array<string> = []
  for (const callId of callIds)
    calls.add(callId, { leave: () => told.push(`${callId} left`), fail: () => told.push(`${callId} failed`) })
  return { calls, told }
}

describe("calls whose link is lost", () => {
  it("are left to others when the sound still has them, and have failed otherwise", () => {
    const { calls, told } = lost("call_1", "call_2")
    calls.settle(new Set(["call_2", "call_3"]))
    expect(told).toEqual(["call_1 failed", "call_2 left"])
    calls.settle(new Set())
    expect(told).toHaveLength(2)
  })

  it("have failed when the sound cannot be reached for 3 s", () => {
    const { told } = lost("call_1")
    vi.advanceTimersByTime(2_999)
    expect(told).toEqual([])
    vi.advanceTimersByTime(1)
    expect(told).toEqual(["call_1 failed"])
  })
})
