/**
 * Loaded into a service's process by a bench (`node --import`): watches garbage collection and the event loop from within, and tells when it
 * is asked. Costs a timer every 10 ms.
 */
import { readdirSync } from "node:fs"
import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks"
import { queryObjects } from "node:v8"
import { Effect } from "effect"

export interface ProbeQuestion {
  readonly type: "probe"
  /** Collects garbage first, for a reading of what is really held, and counts fibers. Needs `--expose-gc`. */
  readonly forceGc: boolean
}

/** Since the last question, but for `cpuSeconds`, which counts from the start. */
export interface Reading {
  readonly cpuSeconds: number
  readonly residentBytes: number
  readonly heapBytes: number
  readonly externalBytes: number
  /** Milliseconds of each collection. */
  readonly gcMs: ReadonlyArray<number>
  /** How much later than it should the event loop came round, in milliseconds. */
  readonly loopDelayMs: { readonly p50: number; readonly p99: number; readonly max: number }
  /** Things that keep the process awake: sockets, timers, work under way. */
  readonly handles: Readonly<Record<string, number>>
  /** File descriptors: files and sockets; 0 where the system does not tell. */
  readonly descriptors: number
  /** Effect fibers in the heap, running or held by something; counted when garbage was collected, else 0. */
  readonly fibers: number
}

const resolutionMs = 10
const delay = monitorEventLoopDelay({ resolution: resolutionMs })
delay.enable()

let gcMs: Array<number> = []
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) gcMs.push(duration)
}).observe({ entryTypes: ["gc"] })

const countDescriptors = (): number => {
  try {
    return readdirSync("/proc/self/fd").length
  } catch {
    return 0
  }
}

/** The class of fibers is not exported, but each fiber has it. */
const Fiber = Effect.runFork(Effect.void).constructor

const read = (counted: boolean): Reading => {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed, external } = process.memoryUsage()
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs)
  const handles: Record<string, number> = {}
  for (const name of process.getActiveResourcesInfo()) handles[name] = (handles[name] ?? 0) + 1
  const reading = {
    cpuSeconds: (user + system) / 1e6,
    residentBytes: rss,
    heapBytes: heapUsed,
    externalBytes: external,
    gcMs,
    loopDelayMs: { p50: late(delay.percentile(50)), p99: late(delay.percentile(99)), max: late(delay.max) },
    handles,
    descriptors: countDescriptors(),
    fibers: counted ? Number(queryObjects(Fiber)) : 0
  }
  gcMs = []
  delay.reset()
  return reading
}

const isQuestion = (message: unknown): message is ProbeQuestion =>
  typeof message === "object" && message !== null && "type" in message && message.type === "probe"

process.on("message", (message) => {
  if (!isQuestion(message)) return
  if (message.forceGc) globalThis.gc?.()
  process.send?.(read(message.forceGc))
})
// A service must be able to end although somebody might ask.
process.channel?.unref()
