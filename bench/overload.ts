/**
 * Offers one and a half times the calls that the engine has room for. The excess must be refused in time, inbound and outbound, and the admitted
 * calls must keep all limits. Refused inbound callers hear a busy signal or a sentence; a refused outbound call is answered 429.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { contended } from "../src/actors/voice/engine/CallSlots.ts"
import { pinned } from "./crowd/Pinning.ts"
import { type Stage, setStage } from "./crowd/Stage.ts"
import { limitsOf, measure } from "./crowd/Step.ts"
import { contentTable, generatorTable, heardTable, loadTable, stepPlots } from "./crowd/StepReport.ts"
import { parseOptions } from "./support/Options.ts"
import { progress } from "./support/Progress.ts"
import { type Limit, publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { summarize } from "./support/Statistics.ts"

const offered = 1.5
/** A caller should not listen to silence before the busy signal. */
const refusedWithinMs = 1_000
const settleMs = 5_000
/** Outbound calls asked for beyond what one organization may have at once. */
const outboundExcess = 10
const outboundLimit = 5

/** Asks for more calls than an organization may have; what each was answered. */
const askOutbound = async ({ baseUrl, spare }: Stage): Promise<ReadonlyArray<number>> => {
  if (spare === undefined) return []
  const { key, agentId } = spare
  const ask = async (index: number) => {
    const response = await fetch(`${baseUrl}/api/voice-agents/${agentId}/calls`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ to: `+4420794600${String(10 + index)}` })
    })
    await response.text()
    return response.status
  }
  return Promise.all(Array.from({ length: outboundLimit + outboundExcess }, (_, index) => ask(index)))
}

const isAccepted = (status: number): boolean => status >= 200 && status < 300

/** Of `outboundLimit + outboundExcess` calls that were asked for, by what each was answered: neither more nor fewer may be taken. */
export const outboundLimits = (answered: ReadonlyArray<number>): ReadonlyArray<Limit> => {
  const missed = (what: string, wanted: number, was: (status: number) => boolean): Limit => ({
    name: `outbound calls ${what}, more or fewer than ${wanted}`,
    value: Math.abs(wanted - answered.filter(was).length),
    unit: "",
    most: 0
  })
  return [
    missed("accepted", outboundLimit, isAccepted),
    missed("answered 429", outboundExcess, (status) => status === 429)
  ]
}

export const taken = {
  numbers: { seconds: 30, calls: 100, ramp: 10 },
  switches: ["pin"],
  means: { calls: "calls there is room for" }
} as const

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, taken)
      const { calls, seconds, ramp } = options
      const line = progress("overload")
      line.say("starting")
      const wanted = Math.ceil(calls * offered)
      const engineCpu = pinned(options.switches.has("pin"))
      const stage = yield* setStage({ calls: wanted, maxCalls: calls, engineCpu, spareLimit: outboundLimit })
      const { crowd, tally } = stage
      const { step, refusals, refusedWhileFull, outbound } = yield* Effect.promise(async () => {
        await crowd.grow(wanted, ramp)
        await sleep(settleMs)
        const refused = tally.refused
        // The excess goes on knocking while the others talk.
        const knocking = setInterval(() => void crowd.place(), 1_000)
        // Slots are shared out from nine tenths on: each of the callers' organizations has its share by then, and the rest is for one that has no call yet.
        const step = await measure(stage, Math.ceil(calls * contended), seconds, (text) => line.say(text))
        clearInterval(knocking)
        return {
          step,
          refusals: crowd.refusals,
          refusedWhileFull: refused,
          outbound: await askOutbound(stage)
        }
      })
      line.done()
      const heard = refusals.filter(({ how }) => how !== "other")
      const { p50, p99, max } = summarize(refusals.map(({ ms }) => ms))
      const tooMany = outbound.filter((status) => status === 429).length
      const accepted = outbound.filter(isAccepted).length
      const limits: ReadonlyArray<Limit> = [
        ...limitsOf(step),
        { name: "calls let in beyond the room there is", value: Math.max(0, step.calls - calls), unit: "", most: 0 },
        {
          name: "excess callers who heard neither busy nor a sentence",
          value: refusals.length - heard.length,
          unit: "",
          most: 0
        },
        { name: "refusal p99", value: p99, unit: "ms", most: refusedWithinMs },
        ...outboundLimits(outbound)
      ]
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "overload",
            about: `${wanted} calls offered where there is room for ${calls}.`,
            options: { ...options, switches: [...options.switches] },
            tables: [
              {
                title: "The door",
                columns: ["", "count", "p50 ms", "p99 ms", "max ms"],
                rows: [
                  ["let in", step.calls, "", "", ""],
                  ["refused while it filled", refusedWhileFull, "", "", ""],
                  ["refused in all: busy", heard.filter(({ how }) => how === "busy").length, p50, p99, max],
                  ["refused in all: a sentence", heard.filter(({ how }) => how === "sentence").length, "", "", ""],
                  ["outbound: 429", tooMany, "", "", ""],
                  ["outbound: accepted", accepted, "", "", ""]
                ]
              },
              loadTable([step]),
              heardTable([step]),
              contentTable([step]),
              generatorTable([step])
            ],
            plots: stepPlots([step]),
            limits,
            generator: step.generator,
            details: { refusals, outbound, step }
          },
          options.json
        )
      )
    })
  )
