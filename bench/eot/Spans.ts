/** What the real detector hears in each silence of a turn, and what was said before, every 20 ms: all that a policy may know. */
import { Vad, VadEvent } from "../../src/audio/vad/Vad.ts"
import { type Silence, type SpokenTurn, saidUntil } from "./TurnSet.ts"

const FRAME = 160
export const FRAME_MS = 20
/** A word is known so long after its end. */
export const transcriptLagMs = 500

export interface Moment {
  /** Since the caller's voice stopped. */
  readonly afterMs: number
  /** Silence as the detector hears it. */
  readonly silentMs: number
  readonly text: string
  readonly isAll: boolean
}

export interface Span extends Silence {
  readonly language: SpokenTurn["language"]
  readonly condition: string
  readonly moments: ReadonlyArray<Moment>
}

/** For each frame, how long the detector has heard nothing. */
const heardSilence = (line: Int16Array): ReadonlyArray<number> => {
  const vad = new Vad()
  let lastVoiced = Number.NEGATIVE_INFINITY
  let speaking = false
  return Array.from({ length: Math.floor(line.length / FRAME) }, (_, frame) => {
    const event = vad.step(line.subarray(frame * FRAME, (frame + 1) * FRAME))
    if (event === VadEvent.SpeechStarted) speaking = true
    if (event === VadEvent.SpeechStopped) speaking = false
    if (speaking && vad.voiced) lastVoiced = frame
    return (frame - lastVoiced) * FRAME_MS
  })
}

export const spansOf = (turn: SpokenTurn, line: Int16Array, condition: string): ReadonlyArray<Span> => {
  const silent = heardSilence(line)
  return turn.silences.map((silence): Span => {
    const moments: Array<Moment> = []
    for (let frame = Math.ceil(silence.fromMs / FRAME_MS); frame * FRAME_MS < silence.untilMs; frame++) {
      if (frame >= silent.length) break
      const ms = frame * FRAME_MS
      const { text, isAll } = saidUntil(turn, ms - transcriptLagMs)
      moments.push({ afterMs: ms - silence.fromMs, silentMs: silent[frame], text, isAll })
    }
    return { ...silence, language: turn.language, condition, moments }
  })
}
