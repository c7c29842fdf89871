/**
 * Loaded into a service's process by a bench (`node --import`). It measures garbage collection and the event loop from within, and reports on
 * request. It costs a timer every 10 ms.
 */
import { readdirSync, readlinkSync } from "node:fs"
import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks"
import { queryObjects } from "node:v8"

export interface ProbeQuestion {
  readonly type: "probe"
  /** Collects garbage first, for a reading of what is really held. Needs `--expose-gc`. */
  readonly forceGc: boolean
  /** Counts fibers too. The process stands still for a second and more, and throws compiled code away: not while calls are measured. */
  readonly countFibers: boolean
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
  /**
   * Descriptors of files and of sockets that are open; 0 where the system does not tell. Not those that a journal keeps for its next calls: there are as
   * many as there were calls at once, and 256 at most.
   */
  readonly openFiles: number
  readonly openSockets: number
  /** Effect fibers in the heap, running or held by something; 0 unless asked for. */
  readonly fibers: number
}

const resolutionMs = 10
const delay = monitorEventLoopDelay({ resolution: resolutionMs })
delay.enable()

let gcMs: Array<number> = []
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) gcMs.push(duration)
}).observe({ entryTypes: ["gc"] })

/** What each open descriptor is: a path, or `socket:[…]` and the like. */
const descriptors = (): ReadonlyArray<string> => {
  const folder = "/proc/self/fd"
  try {
    return readdirSync(folder).flatMap((name) => {
      try {
        return [readlinkSync(`${folder}/${name}`)]
      } catch {
        // That of this very look.
        return []
      }
    })
  } catch {
    return []
  }
}

/**
 * The class of fibers is not exported, but each fiber has it. Not loaded before the service was: schemas that are made before `main.ts` has said
 * that they are to be compiled are not.
 */
const countFibers = async (): Promise<number> => {
  const { Effect } = await import("effect")
  return Number(queryObjects(Effect.runFork(Effect.void).constructor))
}

const read = (fibers: number): Reading => {
  const open = descriptors()
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
    openFiles: open.filter((what) => what.startsWith("/") && !what.includes("/calls.spare/")).length,
    openSockets: open.filter((what) => what.startsWith("socket:")).length,
    fibers
  }
  gcMs = []
  delay.reset()
  return reading
}

const isQuestion = (message: unknown): message is ProbeQuestion =>
  typeof message === "object" && message !== null && "type" in message && message.type === "probe"

process.on("message", async (message) => {
  if (!isQuestion(message)) return
  // Twice: what the first leaves to finalizers is gone after the second.
  if (message.forceGc) for (let round = 0; round < 2; round++) globalThis.gc?.()
  process.send?.(read(message.countFibers ? await countFibers() : 0))
})
// A service must be able to end although somebody might ask.
process.channel?.unref()
