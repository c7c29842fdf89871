import { describe, expect, it } from "@effect/vitest"
import { samplePlots, watchService } from "../../bench/support/Samples.ts"

describe("the watch over a service", () => {
  it("takes no sample after it was stopped, nor from a single reading", async () => {
    let looks = 0
    const stop = watchService({
      usage: async () => {
        looks++
        return { cpuSeconds: looks, residentBytes: 1e6 }
      },
      calls: () => 3
    })
    const samples = await stop()
    expect([looks, samples.length]).toEqual([1, 0])
    expect(await stop()).toBe(samples)
  })

  it("reports a failed reading when it is stopped", async () => {
    const stop = watchService({ usage: () => Promise.reject(new Error("gone")), calls: () => 0 })
    await expect(stop()).rejects.toThrow("gone")
  })

  it("is drawn over time, with the heap when it is known", () => {
    const sample = { seconds: 1, calls: 2, cores: 0.5, residentMb: 300 }
    const titles = (heapMb: object) => samplePlots([{ ...sample, ...heapMb }]).map(({ title }) => title)
    expect(titles({})).toHaveLength(3)
    expect(titles({ heapMb: 80 })).toContain("Heap of the engine")
  })
})
