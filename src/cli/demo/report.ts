/** The demo's output about a call: live lines, a summary, or one JSON object. */
import type { CallResult } from "../../../simulators/telephone/CallResult.ts"
import type { CallRecord, Utterance } from "../../domain/voice/calls/records/CallRecord.ts"

export interface DemoReport {
  readonly transcript: ReadonlyArray<{ readonly role: string; readonly text: string; readonly atMs: number }>
  readonly disclosureFirst: boolean
  readonly frames: { readonly sent: number; readonly wrongSize: number; readonly late: number }
  readonly turnLatencyMs: { readonly p50: number | null; readonly p99: number | null }
  readonly bargeInStopMs: number | null
  readonly toolCalls: number
  /** The titles of the sources of knowledge that answers are from, each once. */
  readonly sources: ReadonlyArray<string>
  readonly endReason: string | null
  readonly recording: string
}

const percentile = (values: ReadonlyArray<number>, share: number): number | null => {
  const sorted = [...values].sort((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return value === undefined ? null : Math.round(value)
}

export const makeReport = (
  call: CallRecord,
  utterances: ReadonlyArray<Utterance>,
  result: CallResult,
  disclosure: string,
  recording: string
): DemoReport => {
  const latencies = call.turns.flatMap(({ firstFrameMs }) => (firstFrameMs === null ? [] : [firstFrameMs]))
  const { sent, wrongSize, late } = result.frames
  return {
    transcript: utterances.map(({ role, text, startMs }) => ({ role, text, atMs: startMs })),
    disclosureFirst: utterances[0]?.role === "agent" && utterances[0].text === disclosure,
    frames: { sent, wrongSize, late },
    turnLatencyMs: { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) },
    bargeInStopMs: result.bargeInStopMs === null ? null : Math.round(result.bargeInStopMs),
    toolCalls: call.toolCallCount,
    sources: [...new Set(utterances.flatMap(({ sources = [] }) => sources.map(({ title }) => title)))],
    endReason: call.endReason,
    recording
  }
}

/** What should be true, and the complaint when it is not. */
export type Wish = readonly [boolean, string]

export const unlessHeard = (report: DemoReport, expected: ReadonlyArray<string>): Wish => {
  const heard = report.transcript.filter(({ role }) => role === "caller").map(({ text }) => text)
  return [expected.every((line) => heard.includes(line)), `the agent understood: ${heard.join(" | ")}`]
}

/** What was wrong with a call: the checks of every call, then `wishes`. */
export const complaintsOf = (report: DemoReport, wishes: ReadonlyArray<Wish>): ReadonlyArray<string> => {
  const wanted: ReadonlyArray<Wish> = [
    [report.disclosureFirst, "the disclosure was not the first thing that was heard"],
    [report.frames.wrongSize === 0, `${report.frames.wrongSize} frames were not 160 bytes`],
    [report.frames.late === 0, `${report.frames.late} holes were heard in the agent's speech`],
    ...wishes
  ]
  return wanted.flatMap(([good, complaint]) => (good ? [] : [complaint]))
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1).padStart(5)} s`

/** One line of the conversation. With `callerEndedMs`, the end of the caller's last words, it shows how long the answer took. */
export const liveLine = (utterance: Utterance, callerEndedMs: number | undefined): string => {
  const who = utterance.role === "agent" ? "\u001b[36magent \u001b[0m" : "\u001b[33mcaller\u001b[0m"
  const waited = callerEndedMs === undefined ? "" : `  \u001b[2m(+${utterance.startMs - callerEndedMs} ms)\u001b[0m`
  const cut = utterance.interrupted ? " —" : ""
  return `${seconds(utterance.startMs)}  ${who}  ${utterance.text}${cut}${waited}`
}

const cell = (value: number | null) => (value === null ? "–" : String(Math.round(value))).padStart(12)

export const summary = (report: DemoReport, call: CallRecord): string => {
  const head = ["turn", "decision", "transcript", "model", "speech", "heard"].map((name) => name.padStart(12)).join("")
  const rows = call.turns.map((turn) =>
    [turn.turn, turn.decisionMs, turn.transcriptMs, turn.firstTokenMs, turn.firstAudioMs, turn.firstFrameMs]
      .map(cell)
      .join("")
  )
  return [
    "",
    "Milliseconds from the caller's last sound to each step of the answer:",
    head,
    ...rows,
    "",
    `turn latency     p50 ${report.turnLatencyMs.p50} ms, p99 ${report.turnLatencyMs.p99} ms`,
    ...(report.bargeInStopMs === null ? [] : [`interruption     agent softer after ${report.bargeInStopMs} ms`]),
    `frames           ${report.frames.sent} sent, ${report.frames.wrongSize} of a wrong size, ${report.frames.late} late`,
    `tool calls       ${report.toolCalls}`,
    ...(report.sources.length === 0 ? [] : [`looked up in     ${report.sources.join(", ")}`]),
    `ended            ${report.endReason}`,
    `recording        ${report.recording}`
  ].join("\n")
}
