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
import { type Sample, samplePlots, watchService } from "./Samples.ts"
import type { Table } from "./Table.ts"

export interface LoadedCall {
  readonly result: CallResult
  readonly stored: StoredCall
}

export interface Load {
  readonly calls: ReadonlyArray<LoadedCall>
  /** One a second; none where the system does not tell. */
  readonly engine: ReadonlyArray<Sample>
  readonly generator: GeneratorReport
  /** Why calls are missing: a script that waited in vain, an end that was not the caller's, or was not stored. */
  readonly failures: ReadonlyArray<string>
}

/** What a load needs of a running Parley. */
export interface Loadable extends Pick<Parley, "agents" | "call" | "stored"> {
  readonly network: { readonly stats: Pick<Parley["network"]["stats"], "live"> }
  readonly service: Pick<Parley["service"], "usage">
}

/** Calls still running so long after their time are ended by the network. */
const graceMs = 30_000

/** The result of a call that had a conversation. Throws for one that was turned away: its end is stored like any other's. */
export const letIn = (result: CallResult): CallResult => {
  const { callSid, rejected, spoken, documents, webhookStatus } = result
  if (rejected !== undefined) throw new Error(`call ${callSid} was rejected: ${rejected}`)
  if (!documents.some((twiml) => twiml.includes("<Stream")))
    throw new Error(`call ${callSid} got no stream: the webhook was answered ${webhookStatus}, ${spoken.join(" ")}`)
  return result
}

/** Throws for a call that anybody but its caller ended: what the agent said at its end is no answer, and what was not said is missing. */
const endedByCaller = ({ result, stored }: LoadedCall): LoadedCall => {
  const { callSid, endedBy } = result
  const { endReason } = stored
  if (endedBy !== "caller" || endReason !== "caller_hangup")
    throw new Error(`call ${callSid} was not ended by its caller: ended by ${endedBy}, stored as ${endReason}`)
  return { result, stored }
}

/**
 * Places `options.calls` calls to the first agent. `caller` gives what the n-th caller does until `untilMs` (monotonic clock);
 * when its script returns, the caller hangs up. A call that fails, is turned away, or is ended by anybody but its caller is left out and
 * said in `failures`.
 */
export const load = async (
  parley: Loadable,
  options: Pick<Options<"calls" | "ramp" | "seconds">, "calls" | "ramp" | "seconds">,
  line: Progress,
  caller: (index: number, untilMs: number) => Omit<CallRequest, "from" | "to">
): Promise<Load> => {
  const untilMs = performance.now() + (options.ramp + options.seconds) * 1_000
  const stopWatching = watchGenerator()
  const stopSampling = watchService({ usage: parley.service.usage, calls: () => parley.network.stats.live })
  const ticker = setInterval(() => {
    const left = Math.max(0, Math.round((untilMs - performance.now()) / 1_000))
    line.say(`${parley.network.stats.live} calls, ${left} s left`)
  }, 500)
  const place = async (index: number) => {
    await sleep((index * options.ramp * 1_000) / options.calls)
    const request = caller(index, untilMs)
    const result = await parley.call(parley.agents[0], {
      maxMs: untilMs - performance.now() + graceMs,
      ...request,
      caller: async (api) => {
        await request.caller(api)
        api.hangUp()
      }
    })
    return letIn(result)
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
    const generator = stopWatching()
    const samples = await stopSampling()
    clearInterval(ticker)
    line.say("reading the stored calls")
    const calls = await inTurn(placed.flat(), 4, (result) =>
      orFailed(parley.stored(parley.agents[0], result.callSid).then((stored) => endedByCaller({ result, stored })))
    )
    return { calls: calls.flat(), engine: samples, generator, failures }
  } finally {
    clearInterval(ticker)
    await stopSampling()
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

/** What the engine took while as many calls were there as ever were. */
export const engineTable = ({ engine }: Pick<Load, "engine">): Table => {
  const calls = most(engine.map((sample) => sample.calls))
  const full = engine.filter((sample) => sample.calls === calls)
  const cores = full.reduce((sum, sample) => sum + sample.cores, 0) / full.length
  return {
    title: "The engine (all of Parley's process)",
    columns: ["calls", "cores", "processor ms per call and second", "most memory MB"],
    rows: [
      [calls, cores.toFixed(2), ((cores * 1_000) / calls).toFixed(2), most(engine.map((sample) => sample.residentMb))]
    ]
  }
}

export const enginePlots = ({ engine }: Load): ReadonlyArray<Plot> => samplePlots(engine)
