/** Steps of a crowd as tables and plots. */
import type { Plot } from "../support/Plot.ts"
import { summarize } from "../support/Statistics.ts"
import type { Table } from "../support/Table.ts"
import { added, bargeIn, bounds, type Heard, lateness, perCallMs, perFrameUs, type Step } from "./Step.ts"

const mb = (bytes: number) => bytes / 1e6
const figures = (values: ReadonlyArray<number>) => values.map((value) => (Number.isNaN(value) ? "–" : value.toFixed(1)))

export const loadTable = (steps: ReadonlyArray<Step>): Table => ({
  title: "Load",
  columns: [
    "calls",
    "engine cores",
    "app cores",
    "engine ms per call and s",
    "engine µs per frame",
    "resident MB",
    "held MB",
    "GC max ms",
    "GC ms per s",
    "loop delay p99 ms",
    "max"
  ],
  rows: steps.map((step) => [
    String(step.calls),
    step.engineCores.toFixed(2),
    step.appCores === null ? "(same)" : step.appCores.toFixed(2),
    perCallMs(step).toFixed(2),
    perFrameUs(step).toFixed(1),
    ...figures([mb(step.residentBytes), mb(step.heldBytes)]),
    ...figures([
      step.gcMs.length === 0 ? Number.NaN : Math.max(...step.gcMs),
      step.gcMs.reduce((sum, ms) => sum + ms, 0) / step.seconds,
      step.loopDelayMs.p99,
      step.loopDelayMs.max
    ])
  ])
})

export const heardTable = (steps: ReadonlyArray<Heard>): Table => ({
  title: "What the callers heard (ms)",
  columns: [
    "calls",
    "frames in",
    "frames out",
    "turns",
    "late p50",
    "p99",
    "max",
    "underruns",
    "added p50",
    "p99",
    "max",
    "barge-in p50",
    "p99"
  ],
  rows: steps.map((step) => {
    const [late, turn, stop] = [lateness(step), added(step), bargeIn(step)]
    const { framesIn, framesOut, turns, underruns } = step.tally
    return [
      String(step.calls),
      framesIn,
      framesOut,
      turns,
      ...figures([late.p50, late.p99, late.max]),
      underruns,
      ...figures([turn.p50, turn.p99, turn.max, stop.p50, stop.p99])
    ]
  })
})

export const contentTable = (steps: ReadonlyArray<Heard>): Table => ({
  title: "Content",
  columns: [
    "calls",
    "crossed",
    "lost",
    "repeated",
    "unreadable",
    "stale",
    "unanswered",
    "failed calls",
    "refused",
    "webhooks repeated",
    "interruptions"
  ],
  rows: steps.map(({ calls, tally: { errors, failed, refused, repeatedWebhooks, interruptions } }) => [
    String(calls),
    errors.crossed,
    errors.lost,
    errors.repeated,
    errors.unreadable,
    errors.stale,
    errors.unanswered,
    failed,
    refused,
    repeatedWebhooks,
    interruptions
  ])
})

/** What each call beyond those of the first step takes: resident (the young generation grows with the load, too), and held after a collection. */
export const memoryTable = (steps: ReadonlyArray<Step>): Table => {
  const [first, ...others] = steps.toSorted((a, b) => a.calls - b.calls)
  const perCall = (pick: (step: Step) => number, step: Step) =>
    (pick(step) - pick(first)) / (step.calls - first.calls) / 1e3
  return {
    title: "Memory of a call, KB",
    columns: ["calls", `resident, beyond ${first?.calls ?? 0} calls`, "held"],
    rows: others
      .filter(({ calls }) => calls > first.calls)
      .map((step) => [
        String(step.calls),
        ...figures([perCall(({ residentBytes }) => residentBytes, step), perCall(({ heldBytes }) => heldBytes, step)])
      ])
  }
}

export const generatorTable = (steps: ReadonlyArray<Step>): Table => ({
  title: "The generator (callers and providers), by step",
  columns: ["calls", "cores", "tick lateness p99 ms", "max", "taken by the host, cores", "step"],
  rows: steps.map(({ calls, generator: { cores, tickLatenessMs, stolenCores, invalid } }) => [
    String(calls),
    cores.toFixed(2),
    ...figures([tickLatenessMs.p99, tickLatenessMs.max]),
    stolenCores.toFixed(3),
    invalid ?? "valid"
  ])
})

export const setupTable = (setup: ReadonlyArray<number>, webhook: ReadonlyArray<number>): Table => ({
  title: "Call set-up, ms",
  columns: ["", "calls", "p50", "p90", "p99", "max"],
  rows: [
    ["webhook to its answer", webhook],
    ["webhook to the first frame of the disclosure", setup]
  ].map(([name, values]) => {
    const { count, p50, p90, p99, max } = summarize(values as ReadonlyArray<number>)
    return [name as string, count, ...figures([p50, p90, p99, max])]
  })
})

/** Cost by calls where there are several steps, and distributions of the last step. */
export const stepPlots = (steps: ReadonlyArray<Step>): ReadonlyArray<Plot> => {
  const last = steps.at(-1)
  if (last === undefined) return []
  const by = (title: string, unit: string, pick: (step: Step) => number): Plot => ({
    _tag: "Series",
    title,
    xUnit: "calls",
    unit,
    points: steps.toSorted((a, b) => a.calls - b.calls).map((step) => [step.calls, pick(step)])
  })
  const growth =
    steps.length < 2
      ? []
      : [
          by("Engine by calls", "cores", ({ engineCores }) => engineCores),
          by("Engine per frame by calls", "µs", perFrameUs),
          by("Resident memory by calls", "MB", ({ residentBytes }) => mb(residentBytes)),
          by("Lateness p99 by calls", "ms", (step) => lateness(step).p99)
        ]
  const collections: Plot = {
    _tag: "Histogram",
    title: `Garbage collections, ${last.calls} calls`,
    unit: "ms",
    values: last.gcMs
  }
  return [...growth, ...heardPlots(last), collections]
}

export const heardPlots = ({ calls, tally: { times } }: Heard): ReadonlyArray<Plot> => [
  {
    _tag: "Histogram",
    title: `Lateness of outgoing frames, ${calls} calls`,
    unit: "ms",
    values: times.lateness,
    limit: bounds.latenessMs
  },
  { _tag: "Histogram", title: `Added latency, ${calls} calls`, unit: "ms", values: times.added, limit: bounds.addedMs }
]
