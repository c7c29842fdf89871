/** What each feature of a call costs: the same conversations without it and with it, one feature at a time. */
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { pinned } from "./crowd/Pinning.ts"
import { type StageOptions, setStage } from "./crowd/Stage.ts"
import { added, generatorOf, lateness, measure, missing, perCallMs, perFrameUs, type Step } from "./crowd/Step.ts"
import { contentTable, generatorTable, loadTable } from "./crowd/StepReport.ts"
import { chosen, parseOptions } from "./support/Options.ts"
import type { Plot } from "./support/Plot.ts"
import { progress } from "./support/Progress.ts"
import { publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"

interface Variant {
  readonly name: string
  /** What its service's log is called: each has one of its own. */
  readonly log: string
  readonly stage: Pick<StageOptions, "agent" | "company" | "without">
  /** The variant it is compared with. */
  readonly beside?: string
}

/**
 * Listening cannot be switched off in a service that answers. Frames and voice activity are seen by a line that is only noise; moderation and
 * transcripts by an engine that has the same from nobody, at no cost.
 */
const variants: ReadonlyArray<Variant> = [
  { name: "conversations", log: "conversations", stage: {} },
  {
    name: "silent line (frames, voice activity)",
    log: "silent",
    // Nobody is asked whether they are there.
    stage: { agent: { silence: { promptAfterSeconds: 120 } }, company: { talks: false } }
  },
  { name: "without moderation", log: "unmoderated", stage: { without: "moderation" }, beside: "conversations" },
  {
    name: "without transcripts (speech-to-text)",
    log: "untranscribed",
    stage: { without: "speech-to-text" },
    beside: "conversations"
  },
  { name: "recording", log: "recording", stage: { agent: { recording: true } }, beside: "conversations" },
  {
    name: "ambient noise",
    log: "ambient",
    stage: { agent: { ambient_noise: true }, company: { check: false } },
    beside: "conversations"
  },
  { name: "listening sounds", log: "listening", stage: { agent: { backchanneling: true } }, beside: "conversations" },
  { name: "fillers", log: "fillers", stage: { agent: { use_fillers: true } }, beside: "conversations" },
  {
    name: "without interruptions",
    log: "uninterrupted",
    stage: { company: { interruptEvery: 0 } },
    beside: "conversations"
  }
]

/** Those whose names hold one of the words, and what they are compared with. */
export const wantedOf = (words: ReadonlyArray<string>): ReadonlyArray<Variant> => {
  const named = chosen(variants, ({ name }) => name, words)
  return variants.filter((variant) => named.includes(variant) || named.some(({ beside }) => beside === variant.name))
}

/** How much more the same calls cost with the feature than without it; from what each takes, in the same unit. */
export const addedBy = ({ stage }: Variant, cost: number, beside: number): string => {
  const [withIt, without] = stage.without === undefined ? [cost, beside] : [beside, cost]
  return `${((withIt / without - 1) * 100).toFixed(0)} %`
}

const settleMs = 8_000

export const taken = {
  numbers: { seconds: 20, calls: 100, ramp: 5 },
  switches: ["pin"],
  words: { shown: "[NAME…]", mean: "only features whose names hold one of these, and what they are compared with" }
} as const

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, taken)
      const { calls, seconds, ramp } = options
      const wanted = wantedOf(options.words)
      const line = progress("features")
      const engineCpu = pinned(options.switches.has("pin"))
      const measured = yield* Effect.forEach(wanted, (variant) =>
        Effect.scoped(
          Effect.gen(function* () {
            line.say(variant.name)
            const stage = yield* setStage({
              calls,
              maxCalls: calls * 2 + 20,
              engineCpu,
              log: variant.log,
              ...variant.stage
            })
            const step = yield* Effect.promise(async () => {
              await stage.crowd.grow(calls, ramp)
              await sleep(settleMs)
              return measure(stage, calls, seconds, (text) => line.say(`${variant.name}: ${text}`))
            })
            return { variant, step }
          })
        )
      )
      line.done()
      const stepOf = (name: string | undefined): Step | undefined =>
        measured.find(({ variant }) => variant.name === name)?.step
      const steps = measured.map(({ step }) => step)
      const bars = (title: string, unit: string, pick: (step: Step) => number): Plot => ({
        _tag: "Bars",
        title,
        unit,
        bars: measured.map(({ variant, step }) => [variant.name, pick(step)])
      })
      const times = (title: string, values: ReadonlyArray<number>): Plot => ({
        _tag: "Histogram",
        title,
        unit: "ms",
        values
      })
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "features",
            about: `Processor time of the engine with ${calls} calls, one feature at a time.`,
            options: { ...options, switches: [...options.switches] },
            tables: [
              {
                title: "Cost of a feature",
                columns: [
                  "",
                  "ms per call and s",
                  "µs per frame",
                  "turns per call and minute",
                  "the feature adds",
                  "resident MB"
                ],
                rows: measured.map(({ variant, step }) => {
                  const beside = stepOf(variant.beside)
                  return [
                    variant.name,
                    perCallMs(step).toFixed(2),
                    perFrameUs(step).toFixed(1),
                    ((step.tally.turns / step.calls / step.seconds) * 60).toFixed(1),
                    beside === undefined ? "" : addedBy(variant, perCallMs(step), perCallMs(beside)),
                    step.residentBytes / 1e6
                  ]
                })
              },
              loadTable(steps),
              contentTable(steps),
              generatorTable(steps)
            ],
            plots: [
              bars("Processor time of the engine for each second of a call", "ms", perCallMs),
              bars("Processor time of the engine by frame", "µs", perFrameUs),
              bars("Resident memory of the engine", "MB", ({ residentBytes }) => residentBytes / 1e6),
              bars("Lateness of outgoing frames, p99", "ms", (step) => lateness(step).p99),
              bars("Added latency, p99", "ms", (step) => added(step).p99),
              ...measured.flatMap(({ variant, step }) => [
                times(`Lateness of outgoing frames, ${variant.name}`, step.tally.times.lateness),
                times(`Added latency, ${variant.name}`, step.tally.times.added)
              ])
            ],
            limits: measured.flatMap(({ variant, step }) => [
              { ...missing(step), name: `${missing(step).name}, ${variant.name}` },
              ...step.tally.limits(`, ${variant.name}`)
            ]),
            generator: generatorOf(steps),
            details: { steps: measured.map(({ variant, step }) => ({ name: variant.name, ...step })) }
          },
          options.json
        )
      )
    })
  )
