/** Samples the resource use of a service's process once a second, and plots it over time. */
import { setTimeout as sleep } from "node:timers/promises"
import type { Plot } from "./Plot.ts"
import type { Reading } from "./Probe.ts"
import type { Usage } from "./Service.ts"

export interface Sample {
  /** Since what `watchService` calls the beginning. */
  readonly seconds: number
  readonly calls: number
  readonly cores: number
  readonly residentMb: number
  /** Where it is asked from within; what the next collection will free is in it. */
  readonly heapMb?: number
}

export interface Watching {
  /** Processor time and memory now; undefined where the system does not tell. */
  readonly usage: () => Promise<(Usage & Partial<Pick<Reading, "heapBytes">>) | undefined>
  readonly calls: () => number
  /** The moment seconds count from, monotonic clock; now when left out. */
  readonly began?: number
}

const everyMs = 1_000

/** Begins to watch. The function it gives ends that, after a look that is under way, and gives the samples; asked again it gives the same. */
export const watchService = ({ usage, calls, began = performance.now() }: Watching) => {
  const samples: Array<Sample> = []
  const stopped = new AbortController()
  const pause = () => sleep(everyMs, undefined, { signal: stopped.signal }).catch(() => undefined)
  const watch = async (): Promise<ReadonlyArray<Sample>> => {
    let last: (Usage & { readonly atMs: number }) | undefined
    for (; !stopped.signal.aborted; await pause()) {
      const now = await usage()
      const atMs = performance.now()
      if (now === undefined) continue
      if (last !== undefined)
        samples.push({
          seconds: (atMs - began) / 1_000,
          calls: calls(),
          cores: (now.cpuSeconds - last.cpuSeconds) / ((atMs - last.atMs) / 1_000),
          residentMb: now.residentBytes / 1e6,
          ...(now.heapBytes === undefined ? {} : { heapMb: now.heapBytes / 1e6 })
        })
      last = { cpuSeconds: now.cpuSeconds, residentBytes: now.residentBytes, atMs }
    }
    return samples
  }
  const watched = watch()
  // Whoever stops it hears of a failure; until then it is nobody's.
  watched.catch(() => undefined)
  return (): Promise<ReadonlyArray<Sample>> => {
    stopped.abort()
    return watched
  }
}

/** Calls, processor time and memory over time. */
export const samplePlots = (samples: ReadonlyArray<Sample>): ReadonlyArray<Plot> => {
  const series = (title: string, unit: string, pick: (sample: Sample) => number | undefined): Plot => ({
    _tag: "Series",
    title,
    xUnit: "s",
    unit,
    points: samples.flatMap((sample) => {
      const value = pick(sample)
      return value === undefined ? [] : [[sample.seconds, value] as const]
    })
  })
  return [
    series("Calls", "calls", ({ calls }) => calls),
    series("Processor time of the engine", "cores", ({ cores }) => cores),
    series("Memory of the engine", "MB", ({ residentMb }) => residentMb),
    ...(samples.some(({ heapMb }) => heapMb !== undefined)
      ? [series("Heap of the engine", "MB", ({ heapMb }) => heapMb)]
      : [])
  ]
}
