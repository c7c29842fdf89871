/**
 * Takes every provider, and then the database, away for some seconds during many calls, while new ones come. No call may be lost or refused, every
 * question must be answered, and every frame of speech must be heard on both sides. It prints how long callers wait. With `--silent` the provider
 * accepts requests and never answers them, instead of cutting connections.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { type OutageName, outageNames } from "./crowd/Outages.ts"
import { pinned } from "./crowd/Pinning.ts"
import { type Stage, setStage } from "./crowd/Stage.ts"
import type { Tally } from "./crowd/Tally.ts"
import { watchGenerator } from "./support/GeneratorCheck.ts"
import { parseOptions } from "./support/Options.ts"
import { progress } from "./support/Progress.ts"
import { type Limit, publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { summarize } from "./support/Statistics.ts"

const settleMs = 8_000
/** Longer than a caller waits for an answer, so that what an outage left unanswered is known. */
const recoveryMs = 10_000

/** A new call so often, which hangs up so long after it has heard the first frame. Milliseconds. */
const newCall = { every: 500, stays: 4_000 }

interface Outage {
  /** `nothing`: the time before the first outage, while the calls were added. */
  readonly away: OutageName | "nothing"
  readonly tally: Tally
  /** Calls there were at its end. */
  readonly live: number
}

const when = (away: Outage["away"]): string => (away === "nothing" ? "before anything was away" : `without ${away}`)

/** What has been seen since the last one is this one's: nothing goes by uncounted. */
const ended = ({ crowd, tally }: Stage, away: Outage["away"]): Outage => ({
  away,
  tally: tally.take(),
  live: crowd.live
})

const endure = async (stage: Stage, away: OutageName, ms: number): Promise<Outage> => {
  const { crowd, outages } = stage
  const placed: Array<Promise<void>> = []
  const knocking = setInterval(() => placed.push(crowd.place(newCall.stays)), newCall.every)
  outages.begin(away)
  await sleep(ms)
  outages.end(away)
  await sleep(recoveryMs)
  clearInterval(knocking)
  // Also those that wait for an answer until the provider gives up.
  await Promise.all(placed)
  await sleep(newCall.stays)
  return ended(stage, away)
}

/** `calls` were there from the beginning, and are to be there to the end. */
export const limitsOf = ({ away, tally, live }: Outage, calls: number): ReadonlyArray<Limit> => {
  const none = (what: string, value: number): Limit => ({ name: `${what} ${when(away)}`, value, unit: "", most: 0 })
  return [
    none(`calls missing of ${calls}`, Math.max(0, calls - live)),
    none("calls lost or refused", tally.failed + tally.refused),
    none("content errors", tally.contentErrors)
  ]
}

export const taken = {
  numbers: { seconds: 2, calls: 100, ramp: 10 },
  switches: ["pin", "silent"],
  means: { seconds: "how long each is away" }
} as const

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, taken)
      const { calls, seconds, ramp } = options
      const silent = options.switches.has("silent")
      const line = progress("outage")
      line.say("starting")
      const stage = yield* setStage({
        calls,
        maxCalls: calls * 2 + 20,
        engineCpu: pinned(options.switches.has("pin")),
        outages: true,
        silent
      })
      const { endured, generator } = yield* Effect.promise(async () => {
        await stage.crowd.grow(calls, ramp)
        await sleep(settleMs)
        const stopWatching = watchGenerator()
        const endured = [ended(stage, "nothing")]
        for (const away of outageNames) {
          line.say(`without ${away}`)
          endured.push(await endure(stage, away, seconds * 1_000))
        }
        return { endured, generator: stopWatching() }
      })
      line.done()
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "outage",
            about: `${calls} calls, and new ones; each provider, and the database, away for ${seconds} s, ${silent ? "silent" : "connections cut"}.`,
            options: { ...options, switches: [...options.switches] },
            tables: [
              {
                title: "What callers met",
                columns: [
                  "away",
                  "calls lost",
                  "refused",
                  "webhooks repeated",
                  "turns",
                  "unanswered",
                  "crossed",
                  "frames lost",
                  "repeated",
                  "stale",
                  "pauses in a clause",
                  "answers later by p50 ms",
                  "p99",
                  "max",
                  "longest set-up ms"
                ],
                rows: endured.map(({ away, tally }) => {
                  const { failed, refused, repeatedWebhooks, turns, errors, underruns, times } = tally
                  const { p50, p99, max } = summarize(times.added)
                  const { unanswered, crossed, lost, repeated, stale } = errors
                  const waits = [p50, p99, max, summarize(times.setup).max].map((ms) => ms.toFixed(0))
                  const content = [turns, unanswered, crossed, lost, repeated, stale, underruns]
                  return [away, failed, refused, repeatedWebhooks, ...content, ...waits]
                })
              }
            ],
            plots: endured.map(({ away, tally }) => ({
              _tag: "Histogram",
              title: `How much later answers came, ${away} away`,
              unit: "ms",
              values: tally.times.added
            })),
            limits: endured.flatMap((outage) => limitsOf(outage, calls)),
            generator,
            details: { endured }
          },
          options.json
        )
      )
    })
  )
