/**
 * Every provider away for some seconds, one after the other, in the middle of many calls: no call may end for it, every question is answered, and
 * every frame of speech is heard, on both sides. Callers wait meanwhile; how long is printed.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { type ProviderName, providerNames } from "./crowd/Outages.ts"
import { pinned } from "./crowd/Pins.ts"
import { type Stage, setStage } from "./crowd/Stage.ts"
import type { Tally } from "./crowd/Tally.ts"
import { watchGenerator } from "./support/GeneratorCheck.ts"
import { parseOptions } from "./support/Options.ts"
import { progress } from "./support/Progress.ts"
import { publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { summarize } from "./support/Statistics.ts"

const settleMs = 8_000
/** Longer than a caller waits for an answer, so that what an outage left unanswered is known. */
const recoveryMs = 10_000

interface Outage {
  readonly provider: ProviderName
  readonly lostCalls: number
  readonly tally: Tally
}

const endure = async ({ crowd, tally, outages }: Stage, provider: ProviderName, ms: number): Promise<Outage> => {
  tally.take()
  const before = crowd.live
  outages.begin(provider)
  await sleep(ms)
  outages.end(provider)
  await sleep(recoveryMs)
  return { provider, lostCalls: before - crowd.live, tally: tally.take() }
}

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, { seconds: 2, calls: 100, ramp: 10 }, ["pin"])
      const { calls, seconds, ramp } = options
      const line = progress("outage")
      line.say("starting")
      const stage = yield* setStage({
        calls,
        maxCalls: calls * 2 + 20,
        engineCpu: pinned(options.switches.has("pin"))
      })
      const { endured, generator } = yield* Effect.promise(async () => {
        await stage.crowd.grow(calls, ramp)
        await sleep(settleMs)
        const stopWatching = watchGenerator()
        const endured: Array<Outage> = []
        for (const provider of providerNames) {
          line.say(`without ${provider}`)
          endured.push(await endure(stage, provider, seconds * 1_000))
        }
        return { endured, generator: stopWatching() }
      })
      line.done()
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "outage",
            about: `${calls} calls; each provider away for ${seconds} s, its connections cut.`,
            options: { ...options, switches: [...options.switches] },
            tables: [
              {
                title: "What callers met",
                columns: [
                  "away",
                  "calls lost",
                  "turns",
                  "unanswered",
                  "crossed",
                  "frames lost",
                  "repeated",
                  "stale",
                  "pauses in a clause",
                  "answers later by p50 ms",
                  "p99",
                  "max"
                ],
                rows: endured.map(({ provider, lostCalls, tally: { turns, errors, underruns, times } }) => {
                  const { p50, p99, max } = summarize(times.added)
                  const { unanswered, crossed, lost, repeated, stale } = errors
                  const later = [p50, p99, max].map((ms) => ms.toFixed(0))
                  return [provider, lostCalls, turns, unanswered, crossed, lost, repeated, stale, underruns, ...later]
                })
              }
            ],
            plots: endured.map(({ provider, tally }) => ({
              _tag: "Histogram",
              title: `How much later answers came, ${provider} away`,
              unit: "ms",
              values: tally.times.added
            })),
            limits: endured.flatMap(({ provider, lostCalls, tally }) => [
              { name: `calls lost without ${provider}`, value: lostCalls, unit: "", most: 0 },
              { name: `content errors without ${provider}`, value: tally.contentErrors, unit: "", most: 0 }
            ]),
            generator,
            details: endured.map(({ provider, tally }) => ({ provider, notes: tally.notes, errors: tally.errors }))
          },
          options.json
        )
      )
    })
  )
