/** What is computed of the turns of a call. Pure. */
import type { CallPeaks, CallTurn, Utterance } from "@parley/client"

export const stages = ["decision", "transcript", "model", "speech", "heard"] as const
export type Stage = (typeof stages)[number]

export interface Bar {
  readonly stage: Stage
  readonly beginMs: number
  readonly endMs: number
}

/** How long the caller waited, by the service: until the first frame went out. Undefined when the turn had no answer. */
export const answerMs = ({ firstFrameMs }: CallTurn): number | undefined => firstFrameMs ?? undefined

/** The median of the answers; undefined without any. */
export const medianAnswerMs = (turns: ReadonlyArray<CallTurn>): number | undefined =>
  medianOf(turns.flatMap((turn) => answerMs(turn) ?? []))

/**
 * The stages of a turn as bars with begin and end. The service tells when each ended, counted from the caller's end; one that ended before the stage in
 * front of it (a model that was asked on a guess) has a bar of its own width only after it.
 */
export const barsOf = (turn: CallTurn): ReadonlyArray<Bar> => {
  const ends = [turn.decisionMs, turn.transcriptMs, turn.firstTokenMs, turn.firstAudioMs, turn.firstFrameMs]
  let before = 0
  return stages.flatMap((stage, index) => {
    const end = ends[index]
    if (end === null || end === undefined) return []
    const bar = { stage, beginMs: Math.min(before, end), endMs: end }
    before = Math.max(before, end)
    return bar.endMs > bar.beginMs ? [bar] : []
  })
}

/** A stage with its real begin and end, in milliseconds from the caller's end. */
export interface StageSpan extends Bar {
  /** It began on a guess, before it was decided that the caller had finished. */
  readonly guessed: boolean
}

/** The stages of a turn as they ran, partly beside each other. Undefined when the engine did not tell when the model was asked. */
export const spansOf = (turn: CallTurn): ReadonlyArray<StageSpan> | undefined => {
  const { decisionMs, transcriptMs, modelAskedMs, firstTokenMs, firstAudioMs, firstFrameMs } = turn
  if (modelAskedMs === undefined) return undefined
  const span = (stage: Stage, beginMs: number | null, endMs: number | null): ReadonlyArray<StageSpan> =>
    beginMs === null || endMs === null || endMs <= beginMs
      ? []
      : [{ stage, beginMs, endMs, guessed: stage === "model" && decisionMs !== null && beginMs < decisionMs }]
  return [
    ...span("decision", 0, decisionMs),
    ...span("transcript", 0, transcriptMs),
    ...span("model", modelAskedMs, firstTokenMs),
    ...span("speech", firstTokenMs, firstAudioMs),
    ...span("heard", firstAudioMs, firstFrameMs)
  ]
}

/** The utterance that is heard at a time; between two, the one before. Undefined before the first. */
export const heardAt = (utterances: ReadonlyArray<Utterance>, ms: number): Utterance | undefined =>
  utterances.findLast(({ startMs }) => startMs <= ms)

/** Silences in which the caller waited for the agent: from the end of a caller's words to the beginning of the agent's next ones. */
export interface Wait {
  readonly beginMs: number
  readonly endMs: number
}

export const waitsOf = (utterances: ReadonlyArray<Utterance>): ReadonlyArray<Wait> =>
  utterances.flatMap((utterance, index) => {
    const next = utterances[index + 1]
    if (utterance.role !== "caller" || next?.role !== "agent" || next.startMs <= utterance.endMs) return []
    return [{ beginMs: utterance.endMs, endMs: next.startMs }]
  })

/** The first wait that is longer than so many milliseconds; else the longest. */
export const slowerThan = (waits: ReadonlyArray<Wait>, ms: number): Wait | undefined =>
  waits.find(({ beginMs, endMs }) => endMs - beginMs > ms) ??
  waits.toSorted((a, b) => b.endMs - b.beginMs - (a.endMs - a.beginMs))[0]

/** The second from which a wait is heard: with the end of what was said before it. */
export const secondBefore = ({ beginMs }: Pick<Wait, "beginMs">): number => Math.max(0, beginMs / 1000 - 0.4)

/** What callers feel as prompt, and what as slow. */
export const goalMs = 800
export const slowMs = 1_200

/** The waits as they were measured on the recording; overlaps are none. */
export const measuredWaits = (turns: CallPeaks["turns"]): ReadonlyArray<Wait> =>
  turns.flatMap(({ callerEndMs, agentStartMs }) =>
    agentStartMs > callerEndMs ? [{ beginMs: callerEndMs, endMs: agentStartMs }] : []
  )

/** A wait belongs to a turn when both agree so far: what is heard is later by the way through the network. */
const agreeMs = 500

/** The wait of each turn on the recording, by the number of the turn: in their order, the first that is about as long as the service says. */
export const waitOfTurns = (turns: ReadonlyArray<CallTurn>, waits: ReadonlyArray<Wait>): ReadonlyMap<number, Wait> => {
  const answered = turns.filter((turn) => answerMs(turn) !== undefined)
  const found = new Map<number, Wait>()
  let from = 0
  for (const turn of answered) {
    const ms = answerMs(turn) ?? 0
    const at = waits.findIndex(
      ({ beginMs, endMs }, index) => index >= from && Math.abs(endMs - beginMs - ms) <= agreeMs
    )
    const wait = waits[at]
    if (wait === undefined) continue
    found.set(turn.turn, wait)
    from = at + 1
  }
  return found
}

/** The median of some times; undefined without any. */
export const medianOf = (all: ReadonlyArray<number>): number | undefined => {
  const sorted = all.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half]
  if (upper === undefined) return undefined
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? upper)) / 2
}
