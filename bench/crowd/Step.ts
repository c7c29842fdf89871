/** One measured period with a fixed number of calls: the engine's resource use, what the callers heard, and whether the limits held. */
import { setTimeout as sleep } from "node:timers/promises"
import { decisive, type GeneratorReport, watchGenerator } from "../support/GeneratorCheck.ts"
import type { Reading } from "../support/Probe.ts"
import type { Limit } from "../support/Report.ts"
import type { Service } from "../support/Service.ts"
import { type Summary, summarize } from "../support/Statistics.ts"
import type { Crowd } from "./Crowd.ts"
import type { Stage } from "./Stage.ts"
import type { Tally } from "./Tally.ts"

/** What callers found in a period, wherever the service is. */
export interface Heard {
  /** Calls there should have been. */
  readonly asked: number
  /** Calls there were at its end. */
  readonly calls: number
  readonly seconds: number
  readonly tally: Tally
  readonly generator: GeneratorReport
}

export interface Step extends Heard {
  /** Processor time of the engine's process, and of the app's where that is another. */
  readonly engineCores: number
  readonly appCores: number | null
  readonly residentBytes: number
  /** What is held after a collection, buffers outside V8's heap included. */
  readonly heldBytes: number
  readonly gcMs: ReadonlyArray<number>
  readonly loopDelayMs: Reading["loopDelayMs"]
}

export const lateness = ({ tally }: Heard): Summary => summarize(tally.times.lateness)
export const added = ({ tally }: Heard): Summary => summarize(tally.times.added)
export const bargeIn = ({ tally }: Heard): Summary => summarize(tally.times.bargeIn)

/** Milliseconds of the engine's processor for each second of one call. */
export const perCallMs = ({ engineCores, calls }: Step): number => (engineCores * 1_000) / calls
/** Microseconds of the engine's processor for each 20 ms of one call, everything that happens in it included. */
export const perFrameUs = ({ engineCores, seconds, tally }: Step): number =>
  (engineCores * seconds * 1e6) / tally.framesIn

export const bounds = { latenessMs: 20, underruns: 0, addedMs: 50 }

/** Those that were refused or lost, while calls were added or later: what was measured are fewer calls than it says. */
export const missing = (step: Heard): Limit => ({
  name: `calls missing of ${step.asked}`,
  value: Math.max(0, step.asked - step.calls),
  unit: "",
  most: 0
})

/** What must hold for a number of calls to count as carried. */
export const limitsOf = (step: Heard): ReadonlyArray<Limit> => [
  missing(step),
  { name: `lateness p99, ${step.calls} calls`, value: lateness(step).p99, unit: "ms", most: bounds.latenessMs },
  { name: `underruns, ${step.calls} calls`, value: step.tally.underruns, unit: "", most: bounds.underruns },
  { name: `added latency p99, ${step.calls} calls`, value: added(step).p99, unit: "ms", most: bounds.addedMs },
  ...step.tally.limits(`, ${step.calls} calls`)
]

/** One invalid step makes the run invalid. */
export const generatorOf = (steps: ReadonlyArray<Heard>): GeneratorReport =>
  decisive(steps.map(({ generator }) => generator))

export interface Hearable extends Pick<Stage, "tally"> {
  readonly crowd: Pick<Crowd, "live">
}

/** What a step needs of its stage. */
export interface Measurable extends Hearable, Pick<Stage, "probed"> {
  readonly engine: Pick<Service, "read" | "usage">
  readonly app: Pick<Service, "read" | "usage">
}

/**
 * Listens for `seconds` from now on, with `asked` calls under way; `say` hears how it goes, once a second. Content errors, failed calls and
 * webhooks without a good answer since the step before count as this one's: calls that were added for it may have gone wrong before it began.
 * All other counts, and times, are of the step alone.
 */
export const listen = async (
  { crowd, tally }: Hearable,
  asked: number,
  seconds: number,
  say: (text: string) => void
): Promise<Heard> => {
  const before = tally.take()
  const began = performance.now()
  const stopWatching = watchGenerator()
  for (let second = 1; second <= seconds; second++) {
    await sleep(Math.max(0, began + second * 1_000 - performance.now()))
    say(`${crowd.live} calls, ${tally.turns} turns, ${tally.contentErrors} content errors, ${seconds - second} s left`)
  }
  const generator = stopWatching()
  const measured = (performance.now() - began) / 1_000
  const calls = crowd.live
  const seen = tally.take()
  seen.carry(before)
  return { asked, calls, seconds: measured, tally: seen, generator }
}

/** Listens as `listen` does, and measures the engine, and the app where that is another process. */
export const measure = async (
  stage: Measurable,
  asked: number,
  seconds: number,
  say: (text: string) => void
): Promise<Step> => {
  const { engine, app, probed } = stage
  const separate = app !== engine
  await Promise.all([engine.read(), separate ? app.read() : undefined])
  const [engineBefore, appBefore] = [await engine.usage(), separate ? await app.usage() : undefined]
  const began = performance.now()
  const heard = await listen(stage, asked, seconds, say)
  const [engineAfter, appAfter] = [await engine.usage(), separate ? await app.usage() : undefined]
  const measured = (performance.now() - began) / 1_000
  const reading = await engine.read()
  const held = await engine.read({ forceGc: true })
  const cores = (before: typeof engineBefore, after: typeof engineBefore) =>
    ((after?.cpuSeconds ?? Number.NaN) - (before?.cpuSeconds ?? 0)) / measured
  return {
    ...heard,
    engineCores: cores(engineBefore, engineAfter),
    appCores: separate ? cores(appBefore, appAfter) : null,
    residentBytes: engineAfter?.residentBytes ?? Number.NaN,
    heldBytes: probed ? held.heapBytes + held.externalBytes : Number.NaN,
    gcMs: probed ? reading.gcMs : [],
    loopDelayMs: probed ? reading.loopDelayMs : { p50: Number.NaN, p99: Number.NaN, max: Number.NaN }
  }
}
