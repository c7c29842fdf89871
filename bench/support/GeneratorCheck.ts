/**
 * The generator watches itself: how late its own 20 ms ticks come and how much processor time it takes. Where it was the bottleneck, a
 * run says nothing about the service.
 */
import { performance } from "node:perf_hooks"
import { type Summary, summarize } from "./Statistics.ts"

export interface GeneratorReport {
  /** How late a 20 ms tick came, ms. */
  readonly tickLatenessMs: Summary
  /** Processor time of the generator (callers and simulators), cores. */
  readonly cores: number
  /** Why the run says nothing; null when it is valid. */
  readonly invalid: string | null
}

/** A tick later than this at p99 makes the figures the generator's own. */
const latestTickMs = 10
/** A single thread with less than a tenth to spare is full. */
const mostCores = 0.9
const tickMs = 20

/** What `lateness` and `cores` say of a run; null: nothing against it. */
export const verdict = (lateness: Summary, cores: number): string | null => {
  if (lateness.p99 > latestTickMs)
    return `the generator's own ticks were ${lateness.p99.toFixed(1)} ms late at p99 (at most ${latestTickMs})`
  if (cores > mostCores) return `the generator used ${cores.toFixed(2)} cores (at most ${mostCores})`
  return null
}

/** Begins to watch; the function it gives ends that and reports. */
export const watchGenerator = (): (() => GeneratorReport) => {
  const lateness: Array<number> = []
  const startedAt = performance.now()
  const cpu = process.cpuUsage()
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
    const cores = (user + system) / 1_000 / (performance.now() - startedAt)
    const tickLatenessMs = summarize(lateness)
    return { tickLatenessMs, cores, invalid: verdict(tickLatenessMs, cores) }
  }
}
