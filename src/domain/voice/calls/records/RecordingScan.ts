/**
 * Reads a recording once, from its samples as they come, and says how loud each side was when: for a picture of the call, and for the waits as they were
 * heard. Pure. Stereo, 16-bit, 8 kHz: the caller left, the agent right.
 */
import { Schema } from "effect"
import { exampleIds } from "../../../basics/Examples.ts"
import { bytesPerSample } from "../../engine/RecordingFormat.ts"
import type { Utterance } from "./CallRecord.ts"

/** Frames of the envelope, in samples of one side (10 ms) and in milliseconds. */
const frameSamples = 80
const frameMs = 10
/** Below it a frame is silent, however quiet the rest is (of 32,768). */
const leastLoud = 180
/** A frame that is louder than this part of the loud ones is voiced. */
const voicedPart = 0.12

const Peak = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))

const MeasuredTurn = Schema.Struct({
  /** When the caller was last heard before the answer, in milliseconds of the recording. */
  callerEndMs: Schema.Int,
  /** When the agent was first heard after that. */
  agentStartMs: Schema.Int,
  /** The wait between the two, as it is heard in the recording; negative when they overlap. */
  measuredMs: Schema.Int
})
export type MeasuredTurn = typeof MeasuredTurn.Type

export const CallPeaks = Schema.Struct({
  id: Schema.String,
  durationMs: Schema.Int,
  /** The loudest sample of each part of the recording, 0 to 255, one number for each point. */
  caller: Schema.Array(Peak),
  agent: Schema.Array(Peak),
  /** The waits that can be measured; empty when the call came back from a human, since its recording has gaps then. */
  turns: Schema.Array(MeasuredTurn)
}).annotate({
  title: "CallPeaks",
  examples: [
    {
      id: exampleIds.call,
      durationMs: 42_000,
      caller: [0, 0, 120, 90],
      agent: [140, 150, 0, 0],
      turns: [{ callerEndMs: 4_880, agentStartMs: 5_610, measuredMs: 730 }]
    }
  ]
})

/** Collects the envelope of both sides. Give it the samples in order, in pieces of any size. */
export class RecordingScan {
  private readonly caller: Uint16Array
  private readonly agent: Uint16Array
  /** Bytes of a sample that a piece cut off. */
  private rest = new Uint8Array(0)
  private samples = 0

  /** @param dataBytes the size of all samples. */
  constructor(dataBytes: number) {
    const frames = Math.ceil(dataBytes / bytesPerSample / frameSamples)
    this.caller = new Uint16Array(frames)
    this.agent = new Uint16Array(frames)
  }

  push(piece: Uint8Array): void {
    const bytes = this.rest.length === 0 ? piece : Buffer.concat([this.rest, piece])
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const whole = bytes.length - (bytes.length % bytesPerSample)
    for (let at = 0; at < whole; at += bytesPerSample) {
      const frame = Math.floor(this.samples++ / frameSamples)
      const left = Math.abs(view.getInt16(at, true))
      const right = Math.abs(view.getInt16(at + 2, true))
      if (left > this.caller[frame]) this.caller[frame] = left
      if (right > this.agent[frame]) this.agent[frame] = right
    }
    this.rest = bytes.slice(whole)
  }

  get durationMs(): number {
    return Math.round((this.samples / frameSamples) * frameMs)
  }

  /** The loudest of each of `points` parts, 0 to 255. */
  peaks(points: number): { readonly caller: ReadonlyArray<number>; readonly agent: ReadonlyArray<number> } {
    return { caller: peaksOf(this.caller, points), agent: peaksOf(this.agent, points) }
  }

  /** The waits before the agent's answers, as they are heard. `utterances`: in their order, with times of this recording. */
  turns(utterances: ReadonlyArray<Pick<Utterance, "role" | "startMs" | "endMs">>): ReadonlyArray<MeasuredTurn> {
    const [heardCaller, heardAgent] = [voicedAbove(this.caller), voicedAbove(this.agent)]
    return utterances.flatMap((answer, index) => {
      const asked = utterances[index - 1]
      if (answer.role !== "agent" || asked?.role !== "caller") return []
      // Transcripts know the times roughly: the answer begins some time before its first word is counted.
      const from = Math.max(0, frameOf(answer.startMs) - 50)
      const agentFrame = firstVoiced(this.agent, heardAgent, from, frameOf(answer.endMs))
      if (agentFrame === undefined) return []
      const callerFrame = lastVoiced(
        this.caller,
        heardCaller,
        frameOf(asked.startMs),
        Math.max(agentFrame, frameOf(asked.endMs))
      )
      if (callerFrame === undefined) return []
      const [callerEndMs, agentStartMs] = [(callerFrame + 1) * frameMs, agentFrame * frameMs]
      return [{ callerEndMs, agentStartMs, measuredMs: agentStartMs - callerEndMs }]
    })
  }
}

const frameOf = (ms: number): number => Math.floor(ms / frameMs)

const peaksOf = (envelope: Uint16Array, points: number): ReadonlyArray<number> =>
  Array.from({ length: points }, (_, point) => {
    const from = Math.floor((point * envelope.length) / points)
    const to = Math.max(from + 1, Math.floor(((point + 1) * envelope.length) / points))
    let most = 0
    for (let at = from; at < to && at < envelope.length; at++) if (envelope[at] > most) most = envelope[at]
    return Math.min(255, most >> 7)
  })

/** The loudness above which a frame of this side is voiced: a part of its loud frames. */
const voicedAbove = (envelope: Uint16Array): number => {
  const loud = envelope.filter((peak) => peak > leastLoud).sort()
  return loud.length === 0
    ? Number.POSITIVE_INFINITY
    : Math.max(leastLoud, loud[Math.floor(loud.length * 0.9)] * voicedPart)
}

const firstVoiced = (envelope: Uint16Array, above: number, from: number, to: number): number | undefined => {
  for (let at = from; at <= to && at < envelope.length; at++) if (envelope[at] > above) return at
  return undefined
}

const lastVoiced = (envelope: Uint16Array, above: number, from: number, to: number): number | undefined => {
  for (let at = Math.min(to, envelope.length - 1); at >= from; at--) if (envelope[at] > above) return at
  return undefined
}
