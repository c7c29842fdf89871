/** Lets calls come and go for a long time: at the end the engine must hold no more than at the beginning. */
import { setTimeout as sleep } from "node:timers/promises"
import { Effect, Option } from "effect"
import { type Stage, setStage } from "./crowd/Stage.ts"
import { watchGenerator } from "./support/GeneratorCheck.ts"
import { OptionsInvalid, parseOptions } from "./support/Options.ts"
import type { Reading } from "./support/Probe.ts"
import { progress } from "./support/Progress.ts"
import { type Limit, publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { type Sample, samplePlots, watchService } from "./support/Samples.ts"

/** How long one call lasts. */
const callSeconds = 20
/** What a warm engine may differ by when nobody calls: caches fill, code is compiled. */
const allowed = { heapMb: 8, sockets: 8, handles: 8, fibers: 8 }
/** After the last hang-up, until what was left is delivered and idle connections to providers have gone. */
const restMs = 15_000

interface Rest {
  readonly heapMb: number
  readonly residentMb: number
  readonly sockets: number
  readonly files: number
  readonly timers: number
  readonly fibers: number
  readonly calls: number
}

const metric = async (metricsUrl: string, name: string): Promise<number> => {
  const text = await fetch(metricsUrl).then((response) => response.text())
  return valueOf(text, name)
}

/** The value of a metric in Prometheus' text. Throws when it is not there: that says nothing about its value. */
export const valueOf = (text: string, name: string): number => {
  const line = text.split("\n").find((it) => it.startsWith(`${name} `) || it.startsWith(`${name}{`))
  if (line === undefined) throw new Error(`the engine's metrics have no ${name}`)
  return Number(line.slice(line.lastIndexOf(" ") + 1))
}

/** What the engine holds while nobody calls. */
const atRest = async ({ engine, metricsUrl }: Stage): Promise<Rest & Pick<Reading, "handles">> => {
  await engine.read({ forceGc: true })
  const { heapBytes, residentBytes, handles, openFiles, openSockets, fibers } = await engine.read({
    forceGc: true,
    countFibers: true
  })
  const count = (pattern: RegExp) =>
    Object.entries(handles).reduce((sum, [name, number]) => (pattern.test(name) ? sum + number : sum), 0)
  return {
    heapMb: heapBytes / 1e6,
    residentMb: residentBytes / 1e6,
    sockets: openSockets,
    files: openFiles,
    timers: count(/Timeout|Immediate/),
    fibers,
    calls: await metric(Option.getOrThrow(metricsUrl), "parley_calls_live"),
    handles
  }
}

/**
 * `calls` at a time, each for `callSeconds`, until the time is over; what the engine took meanwhile, seconds since `began`. It is not looked at while it
 * rests: that reading is to find nothing but what was left.
 */
const comeAndGo = async (
  { crowd, engine }: Stage,
  { calls, seconds, began }: { readonly calls: number; readonly seconds: number; readonly began: number },
  say: () => void
): Promise<ReadonlyArray<Sample>> => {
  const stopSampling = watchService({ usage: () => engine.read(), calls: () => crowd.live, began })
  const until = performance.now() + seconds * 1_000
  const everyMs = (callSeconds * 1_000) / calls
  for (let next = performance.now(); performance.now() < until; next += everyMs) {
    await sleep(Math.max(0, next - performance.now()))
    if (crowd.live >= calls) crowd.shrink(crowd.live - calls + 1)
    void crowd.place()
    say()
  }
  await crowd.empty()
  const samples = await stopSampling()
  await sleep(restMs)
  return samples
}

const defaultMinutes = 30

/** `--minutes` is for long runs; both at once would contradict each other. */
export const secondsOf = ({ minutes, seconds }: { readonly minutes: number; readonly seconds: number }): number => {
  if (minutes > 0 && seconds > 0)
    throw new OptionsInvalid("--minutes and --seconds both say how long: give one of them")
  return seconds > 0 ? seconds : (minutes > 0 ? minutes : defaultMinutes) * 60
}

export const taken = {
  numbers: { minutes: 0, seconds: 0, calls: 50 },
  means: {
    minutes: "how long, after a tenth of it (20 s at least) to warm up: 30 when neither is given",
    seconds: "the same in seconds; one of the two"
  }
} as const

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, taken)
      const { calls } = options
      const seconds = secondsOf(options)
      const line = progress("soak")
      line.say("starting")
      const stage = yield* setStage({ calls, maxCalls: calls * 2 + 20 })
      const { tally } = stage
      let placed = 0
      const began = performance.now()
      const warmSeconds = Math.max(20, seconds / 10)
      const wholeSeconds = warmSeconds + seconds + (2 * restMs) / 1_000
      const say = () => {
        placed++
        const left = Math.round(wholeSeconds - (performance.now() - began) / 1_000)
        line.say(`${stage.crowd.live} calls, ${placed} in all, ${tally.contentErrors} content errors, ${left} s left`)
      }
      const { first, last, samples, generator } = yield* Effect.promise(async () => {
        // The first calls warm the engine: compiled code and caches are there for good.
        const warming = await comeAndGo(stage, { calls, seconds: warmSeconds, began }, say)
        const first = await atRest(stage)
        const stopWatching = watchGenerator()
        const lasting = await comeAndGo(stage, { calls, seconds, began }, say)
        const generator = stopWatching()
        return { first, last: await atRest(stage), samples: [...warming, ...lasting], generator }
      })
      line.done()
      const grown = (name: string, before: number, after: number, most: number, unit = ""): Limit => ({
        name: `growth of ${name}`,
        value: after - before,
        unit,
        most
      })
      const row = (name: string, pick: (rest: Rest) => number): ReadonlyArray<string | number> => [
        name,
        pick(first),
        pick(last)
      ]
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "soak",
            about: `${placed} calls came and went in ${seconds < 120 ? `${seconds} seconds` : `${seconds / 60} minutes`}; each for ${callSeconds} s.`,
            options: { calls, seconds, callSeconds, json: options.json },
            tables: [
              {
                title: "The engine at rest",
                columns: ["", "after warming up", "at the end"],
                rows: [
                  row("heap MB", ({ heapMb }) => heapMb),
                  row("resident MB", ({ residentMb }) => residentMb),
                  row("sockets", ({ sockets }) => sockets),
                  row("open files", ({ files }) => files),
                  row("timers", ({ timers }) => timers),
                  row("fibers", ({ fibers }) => fibers),
                  row("calls", ({ calls }) => calls)
                ]
              },
              {
                title: "Calls",
                columns: ["", "count"],
                rows: [
                  ["placed", placed],
                  ["turns", tally.turns],
                  ["content errors", tally.contentErrors],
                  ["failed", tally.failed],
                  ["refused", tally.refused],
                  ["webhooks repeated", tally.repeatedWebhooks]
                ]
              }
            ],
            plots: [
              ...samplePlots(samples),
              { _tag: "Histogram", title: "Lateness of outgoing frames", unit: "ms", values: tally.times.lateness },
              { _tag: "Histogram", title: "Added latency", unit: "ms", values: tally.times.added }
            ],
            limits: [
              grown("heap", first.heapMb, last.heapMb, allowed.heapMb, "MB"),
              grown("sockets", first.sockets, last.sockets, allowed.sockets),
              grown("open files", first.files, last.files, 0),
              grown("fibers", first.fibers, last.fibers, allowed.fibers),
              grown("timers", first.timers, last.timers, allowed.handles),
              { name: "calls left", value: last.calls, unit: "", most: 0 },
              { name: "calls that were refused", value: tally.refused, unit: "", most: 0 },
              ...tally.limits()
            ],
            generator,
            details: { first, last, samples, tally }
          },
          options.json
        )
      )
    })
  )
