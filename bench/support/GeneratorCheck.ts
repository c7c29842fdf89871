/**
 * Checks the load generator (how late its 20 ms ticks come, and how much processor time it takes) and the machine (how much processor time the host
 * gave to others). If one of them was the bottleneck, a run says nothing about the service.
 */
import { readFileSync } from "node:fs"
import { performance } from "node:perf_hooks"
import { type Summary, summarize } from "./Statistics.ts"

export interface GeneratorReport {
  /** How late a 20 ms tick came, ms. */
  readonly tickLatenessMs: Summary
  /** Processor time of the generator (callers and simulators), cores. */
  readonly cores: number
  /** Processor time that a virtual machine's host gave to others while this one had work, cores; 0 where the system does not tell. */
  readonly stolenCores: number
  /** Why the run says nothing; null when it is valid. */
  readonly invalid: string | null
}

/** A tick later than this at p99 makes the figures the generator's own. */
const latestTickMs = 10
/** A single thread with less than a tenth to spare is full. */
const mostCores = 0.9
/** More than this, of all processors together, and pauses of the service are the host's. */
const mostStolenCores = 0.1
const tickMs = 20

/** What `lateness`, `cores` and `stolenCores` say of a run; null: nothing against it. */
export const verdict = (lateness: Summary, cores: number, stolenCores: number): string | null => {
  if (lateness.p99 > latestTickMs)
    return `the generator's own ticks were ${lateness.p99.toFixed(1)} ms late at p99 (at most ${latestTickMs})`
  if (cores > mostCores) return `the generator used ${cores.toFixed(2)} cores (at most ${mostCores})`
  if (stolenCores > mostStolenCores)
    return `the host took ${stolenCores.toFixed(2)} cores away (at most ${mostStolenCores})`
  return null
}

/** Of several parts of a run: that of the first one that says nothing, else that of the last. One invalid part makes the run invalid. */
export const decisive = (reports: ReadonlyArray<GeneratorReport>): GeneratorReport =>
  reports.find(({ invalid }) => invalid !== null) ?? reports[reports.length - 1]

const clockTicksPerSecond = 100

/** Seconds that the host gave to others since the start, of all processors: the eighth number of the first line of `/proc/stat`. */
const stolenSeconds = (): number => {
  try {
    const [, ...ticks] = readFileSync("/proc/stat", "utf8").split("\n", 1)[0].split(/ +/)
    return Number(ticks[7]) / clockTicksPerSecond
  } catch {
    return 0
  }
}

/** Begins to watch; the function it gives ends that and reports. */
export const watchGenerator = (): (() => GeneratorReport) => {
  const lateness: Array<number> = []
  const startedAt = performance.now()
  const cpu = process.cpuUsage()
  const stolenBefore = stolenSeconds()
  let due = startedAt + tickMs
  let timer: NodeJS.Timeout
  const tick = () => {
    const now = performance.now()
    lateness.push(now - due)
    // Ticks missed in a stall are not made up: the stall is one late tick of its whole length.
    due = Math.max(due + tickMs, now + 1)
    timer = setTimeout(tick, due - now)
  }
  timer = setTimeout(tick, tickMs)
  return () => {
    clearTimeout(timer)
    const { user, system } = process.cpuUsage(cpu)
    const seconds = (performance.now() - startedAt) / 1_000
    const cores = (user + system) / 1e6 / seconds
    const stolenCores = (stolenSeconds() - stolenBefore) / seconds
    const tickLatenessMs = summarize(lateness)
    return { tickLatenessMs, cores, stolenCores, invalid: verdict(tickLatenessMs, cores, stolenCores) }
  }
}
