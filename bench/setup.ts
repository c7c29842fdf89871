/** Many calls begin at once: how long after its webhook a caller hears the first of the disclosure. */
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { pinned } from "./crowd/Pinning.ts"
import { costTable, watchCost } from "./crowd/SetupCost.ts"
import { setStage } from "./crowd/Stage.ts"
import { setupTable } from "./crowd/StepReport.ts"
import type { Tally } from "./crowd/Tally.ts"
import { watchGenerator } from "./support/GeneratorCheck.ts"
import { parseOptions } from "./support/Options.ts"
import { progress } from "./support/Progress.ts"
import { type Limit, publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { summarize } from "./support/Statistics.ts"

const mostMs = 150
/**
 * Calls that the service has had before, and how fast they came: code that was compiled for them is there when the others come, as in a service
 * that was not started a minute ago.
 */
export const [warmCalls, warmPerSecond] = [400, 20]
/** Of each organization. */
const earlierCalls = 1_000
/** A call lasts until its disclosure has begun, and a little: then its caller hangs up. With `--stay` none does. */
const staysMs = 1_000
/** For the last calls to be heard, and to end. */
const restMs = 3_000

/** Of the calls before, of which none may go wrong either, and of the `count` that were measured. */
export const limitsOf = (warm: Tally, seen: Tally, count: number): ReadonlyArray<Limit> => [
  { name: "webhook to first frame p99", value: summarize(seen.times.setup).p99, unit: "ms", most: mostMs },
  { name: "calls that were not set up", value: count - seen.times.setup.length, unit: "", most: 0 },
  { name: "calls before that were not set up", value: warmCalls - warm.times.setup.length, unit: "", most: 0 },
  ...seen.limits(),
  ...warm.limits(", calls before")
]

export const taken = {
  numbers: { seconds: 10, calls: 100 },
  switches: ["pin", "together", "stay"],
  means: { seconds: "for how long calls come", calls: "calls a second" }
} as const

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, taken)
      const { calls: perSecond, seconds } = options
      const line = progress("setup")
      line.say("starting")
      const count = perSecond * seconds
      const stage = yield* setStage({
        calls: count,
        maxCalls: count * 2,
        history: earlierCalls,
        together: options.switches.has("together"),
        engineCpu: pinned(options.switches.has("pin")),
        company: { talks: false }
      })
      const { crowd, tally } = stage
      const stays = options.switches.has("stay")
      const { generator, warm, seen, costs, took } = yield* Effect.promise(async () => {
        line.say(`${warmCalls} calls before`)
        await crowd.grow(warmCalls, warmCalls / warmPerSecond, staysMs)
        await sleep(restMs)
        const warm = tally.take()
        line.say(`${perSecond} calls a second`)
        const began = performance.now()
        const countCost = await watchCost(stage)
        const stopWatching = watchGenerator()
        await crowd.grow(count, seconds, stays ? undefined : staysMs)
        await sleep(restMs)
        const costs = await countCost()
        const took = (performance.now() - began) / 1_000
        const generator = stopWatching()
        return { generator, warm, seen: tally.take(), costs, took }
      })
      line.done()
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "setup",
            about: `${perSecond} calls a second for ${seconds} s; ${stays ? "they stay" : `each for ${staysMs / 1_000} s`}.`,
            options: { ...options, switches: [...options.switches] },
            tables: [setupTable(seen.times.setup, seen.times.webhook), costTable(costs, seen.times.setup.length, took)],
            plots: [
              {
                _tag: "Histogram",
                title: "Webhook to the first frame of the disclosure",
                unit: "ms",
                values: seen.times.setup,
                limit: mostMs
              }
            ],
            limits: limitsOf(warm, seen, count),
            generator,
            details: { notes: [...warm.notes, ...seen.notes], times: seen.times, costs }
          },
          options.json
        )
      )
    })
  )
