/** Many callers at once: begun over the ramp, hung up after the measured time, with the engine's processor time and memory beside it. */
import { setTimeout as sleep } from "node:timers/promises"
import type { CallRequest, CallResult } from "../../simulators/telephone/CallResult.ts"
import { type GeneratorReport, watchGenerator } from "./GeneratorCheck.ts"
import type { Options } from "./Options.ts"
import type { Parley, StoredCall } from "./Parley.ts"
import type { Plot } from "./Plot.ts"
import type { Progress } from "./Progress.ts"
import type { Limit } from "./Report.ts"
import { inTurn } from "./Run.ts"
import type { Usage } from "./Service.ts"
import type { Table } from "./Table.ts"

export interface LoadedCall {
  readonly result: CallResult
  readonly stored: StoredCall
}

export interface Sample {
  readonly seconds: number
  readonly calls: number
  readonly cores: number
  readonly residentMb: number
}

export interface Load {
  readonly calls: ReadonlyArray<LoadedCall>
  /** One a second; none where the system does not tell. */
  readonly engine: ReadonlyArray<Sample>
  readonly generator: GeneratorReport
  /** Why calls are missing: a script that waited in vain, an end that was not stored. */
  readonly failures: ReadonlyArray<string>
}

/** Calls still running so long after their time are ended by the network. */
const graceMs = 30_000

const sampleEngine = (parley: Parley) => {
  const samples: Array<Sample> = []
  const began = performance.now()
  let last: (Usage & { readonly atMs: number }) | undefined
  const timer = setInterval(async () => {
    const usage = await parley.service.usage()
    const atMs = performance.now()
    if (usage === undefined) return
    if (last !== undefined)
      samples.push({
        seconds: (atMs - began) / 1_000,
        calls: parley.network.stats.live,
        cores: (usage.cpuSeconds - last.cpuSeconds) / ((atMs - last.atMs) / 1_000),
        residentMb: usage.residentBytes / 1_000_000
      })
    last = { ...usage, atMs }
  }, 1_000)
  return {
    stop: () => {
      clearInterval(timer)
      return samples
    }
  }
}

/**
 * Places `options.calls` calls to the first agent. `caller` gives what the n-th caller does until `untilMs` (monotonic clock);
 * when its script returns, the caller hangs up. A call that fails is left out and said in `failures`.
 */
export const load = async (
  parley: Parley,
  options: Options<"calls" | "ramp" | "seconds">,
  line: Progress,
  caller: (index: number, untilMs: number) => Omit<CallRequest, "from" | "to">
): Promise<Load> => {
  const untilMs = performance.now() + (options.ramp + options.seconds) * 1_000
  const stopWatching = watchGenerator()
  const engine = sampleEngine(parley)
  const ticker = setInterval(() => {
    const left = Math.max(0, Math.round((untilMs - performance.now()) / 1_000))
    line.say(`${parley.network.stats.live} calls, ${left} s left`)
  }, 500)
  const place = async (index: number) => {
    await sleep((index * options.ramp * 1_000) / options.calls)
    const request = caller(index, untilMs)
    return parley.call(parley.agents[0], {
      maxMs: untilMs - performance.now() + graceMs,
      ...request,
      caller: async (api) => {
        await request.caller(api)
        api.hangUp()
      }
    })
  }
  try {
    const failures: Array<string> = []
    const orFailed = async <A>(work: Promise<A>): Promise<ReadonlyArray<A>> => {
      try {
        return [await work]
      } catch (cause) {
        failures.push(cause instanceof Error ? cause.message : String(cause))
        return []
      }
    }
    const placed = await Promise.all(Array.from({ length: options.calls }, (_, index) => orFailed(place(index))))
    const [samples, generator] = [engine.stop(), stopWatching()]
    clearInterval(ticker)
    line.say("reading the stored calls")
    const calls = await inTurn(placed.flat(), 4, (result) =>
      orFailed(parley.stored(parley.agents[0], result.callSid).then((stored) => ({ result, stored })))
    )
    return { calls: calls.flat(), engine: samples, generator, failures }
  } finally {
    clearInterval(ticker)
    engine.stop()
    line.done()
  }
}

/** No call may fail. */
export const failureLimit = ({ failures }: Load): Limit => ({
  name: "calls that failed",
  value: failures.length,
  unit: "calls",
  most: 0
})

const most = (values: ReadonlyArray<number>): number => (values.length === 0 ? Number.NaN : Math.max(...values))

/** What the engine took while all calls were there. */
export const engineTable = ({ engine, calls }: Load): Table => {
  const full = engine.filter((sample) => sample.calls === calls.length)
  const cores = full.reduce((sum, sample) => sum + sample.cores, 0) / full.length
  return {
    title: "The engine (all of Parley's process)",
    columns: ["calls", "cores", "processor ms per call and second", "most memory MB"],
    rows: [
      [
        String(calls.length),
        cores.toFixed(2),
        ((cores * 1_000) / calls.length).toFixed(2),
        most(engine.map((sample) => sample.residentMb))
      ]
    ]
  }
}

export const enginePlots = ({ engine }: Load): ReadonlyArray<Plot> => {
  const series = (title: string, unit: string, pick: (sample: Sample) => number): Plot => ({
    _tag: "Series",
    title,
    xUnit: "s",
    unit,
    points: engine.map((sample) => [sample.seconds, pick(sample)])
  })
  return [
    series("Calls", "calls", (sample) => sample.calls),
    series("Processor time of the engine", "cores", (sample) => sample.cores),
    series("Memory of the engine", "MB", (sample) => sample.residentMb)
  ]
}
