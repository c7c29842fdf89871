import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { LostCalls } from "../../../../src/actors/voice/engine/LostCalls.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const lost = (...callIds: ReadonlyArray<string>) => {
  const calls = new LostCalls()
  const told: Array<string> = []
  for (const callId of callIds)
    calls.add("media-1", callId, {
      leave: () => told.push(`${callId} left`),
      fail: () => told.push(`${callId} failed`)
    })
  return { calls, told }
}

describe("calls whose link is lost", () => {
  it("are left to others when the sound still has them, and have failed otherwise", () => {
    const { calls, told } = lost("call_1", "call_2")
    calls.settle("media-1", new Set(["call_2", "call_3"]))
    expect(told).toEqual(["call_1 failed", "call_2 left"])
    calls.settle("media-1", new Set())
    expect(told).toHaveLength(2)
  })

  it("wait for the process that has their sound, whatever another process has", () => {
    const { calls, told } = lost("call_1")
    calls.settle("media-2", new Set(["call_3"]))
    expect(told).toEqual([])
    calls.settle("media-1", new Set(["call_1"]))
    expect(told).toEqual(["call_1 left"])
  })

  it("have failed when the sound cannot be reached for 3 s", () => {
    const { told } = lost("call_1")
    vi.advanceTimersByTime(2_999)
    expect(told).toEqual([])
    vi.advanceTimersByTime(1)
    expect(told).toEqual(["call_1 failed"])
  })
})
