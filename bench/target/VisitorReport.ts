/** What callers of a target found, as tables and plots. */
import type { Plot } from "../support/Plot.ts"
import { percentile, summarize } from "../support/Statistics.ts"
import type { Table } from "../support/Table.ts"
import { type Findings, type Timed, timed } from "./Findings.ts"

const meanings: Record<Timed, string> = {
  webhook: "the webhook's answer",
  setup: "first frame after the webhook (plain: the connection)",
  answer: "first sound after the caller's last",
  silenced: "silence after the first sound of an interruption",
  hole: "a hole in the middle of speech",
  ahead: "sound sent ahead of its time"
}

export const callsTable = ({ counts, live }: Findings, asked: number): Table => ({
  title: "Calls",
  columns: [
    "asked for at once",
    "connected",
    "refused",
    "closed by the target",
    "at the end",
    "frames in",
    "frames out",
    "marks"
  ],
  rows: [
    [
      String(asked),
      ...[counts.calls, counts.refused, counts.dropped, live, counts.framesIn, counts.framesOut, counts.marks]
    ]
  ]
})

export const turnsTable = ({ counts }: Findings): Table => ({
  title: "Turns",
  columns: ["turns", "unanswered", "spoken into", "interruptions", "not silenced", "holes in speech"],
  rows: [
    [
      String(counts.turns),
      ...[counts.unanswered, counts.overlapped, counts.interruptions, counts.notSilenced, counts.holes]
    ]
  ]
})

export const timesTable = ({ times }: Findings): Table => ({
  title: "Times (ms)",
  columns: ["", "count", "p50", "p90", "p95", "p99", "max"],
  rows: timed.map((name) => {
    const { count, p50, p90, p99, max } = summarize(times[name])
    return [`${name}: ${meanings[name]}`, count, p50, p90, percentile(times[name], 0.95), p99, max]
  })
})

/** Answers by what was said; nothing where everybody says the bench's own. */
export const utterancesTable = ({ answersTo }: Findings): ReadonlyArray<Table> => {
  const rows = Object.entries(answersTo).map(([name, times]) => {
    const { count, p50, p90, max } = summarize(times)
    return [name, count, p50, p90, max]
  })
  return rows.length === 0
    ? []
    : [{ title: "Answers to each recording (ms)", columns: ["", "answers", "p50", "p90", "max"], rows }]
}

/** What such a run can tell and what it cannot. */
export const checksTable = (plain: boolean): Table => ({
  title: "Checks",
  columns: ["check", ""],
  rows: [
    ["pacing: holes in speech, sound sent ahead", "done"],
    ["answer times, by sound", plain ? "done, where sound begins after the caller's" : "done"],
    ["silence after an interruption, by sound", "done"],
    ["marks come back when what was before them is heard", "done"],
    ["streams closed by the target, calls refused", "done"],
    ["signatures of webhooks and streams", plain ? "none are sent" : "sent; a wrong one is refused by the target"],
    [
      "words: lost, repeated, stale, of another call",
      "not possible: nobody knows what the target's providers say (--providers)"
    ],
    ["what the target added to an answer", "not possible: its providers are not timed (--providers)"],
    ["processor time and memory of the target", "not possible from outside"]
  ]
})

const histogram = (title: string, values: ReadonlyArray<number>): Plot => ({
  _tag: "Histogram",
  title,
  unit: "ms",
  values
})

export const visitorPlots = ({ times }: Findings): ReadonlyArray<Plot> => [
  histogram("From the caller's last sound to the first of the answer", times.answer),
  histogram("From the first sound of an interruption to silence", times.silenced),
  histogram("From the webhook to the first frame", times.setup)
]
