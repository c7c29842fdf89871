/** Many calls begin at once: how long after its webhook a caller hears the first of the disclosure. */
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { pinned } from "./crowd/Pins.ts"
import { setStage } from "./crowd/Stage.ts"
import { setupTable } from "./crowd/StepReport.ts"
import { watchGenerator } from "./support/GeneratorCheck.ts"
import { parseOptions } from "./support/Options.ts"
import { progress } from "./support/Progress.ts"
import { publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { summarize } from "./support/Statistics.ts"

const mostMs = 150
/** Calls that warm the service and are gone before the others come. */
const warmCalls = 30
/** A call lasts until its disclosure has begun, and a little. */
const lingerMs = 3_000

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, { seconds: 10, calls: 100, ramp: 0 }, ["pin", "together"])
      const { calls: perSecond, seconds } = options
      const line = progress("setup")
      line.say("starting")
      const count = perSecond * seconds
      const stage = yield* setStage({
        calls: count,
        maxCalls: count * 2,
        together: options.switches.has("together"),
        engineCpu: pinned(options.switches.has("pin")),
        company: { talks: false }
      })
      const { crowd, tally } = stage
      const { generator, seen } = yield* Effect.promise(async () => {
        await crowd.grow(warmCalls, 3)
        await sleep(lingerMs)
        crowd.shrink(crowd.live)
        await sleep(lingerMs)
        tally.take()
        line.say(`${perSecond} calls a second`)
        const stopWatching = watchGenerator()
        await crowd.grow(count, seconds)
        await sleep(lingerMs)
        return { generator: stopWatching(), seen: tally.take() }
      })
      line.done()
      const { p99 } = summarize(seen.times.setup)
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "setup",
            about: `${perSecond} calls a second for ${seconds} s.`,
            options: { ...options, switches: [...options.switches] },
            tables: [setupTable(seen.times.setup, seen.times.webhook)],
            plots: [
              {
                _tag: "Histogram",
                title: "Webhook to the first frame of the disclosure",
                unit: "ms",
                values: seen.times.setup,
                limit: mostMs
              }
            ],
            limits: [
              { name: "webhook to first frame p99", value: p99, unit: "ms", most: mostMs },
              { name: "calls that were not set up", value: count - seen.times.setup.length, unit: "", most: 0 }
            ],
            generator,
            details: { notes: seen.notes, times: seen.times }
          },
          options.json
        )
      )
    })
  )
