/** The audio of simulated callers: real speech as mu-law frames, made once, and the noise of a quiet line in between. */

import { speak } from "../../simulators/voice/Voice.ts"
import { encode } from "../../src/audio/frames/Mulaw.ts"
import { frameBytes } from "./Watermark.ts"

export interface Clips {
  /** What callers say, 2.4 s each. They begin and end in the middle of speech. */
  readonly callers: ReadonlyArray<Uint8Array>
  /** What the agent says, one clip for each clause. */
  readonly agent: ReadonlyArray<Uint8Array>
  /** Frames of a quiet line, as the provider sends them. */
  readonly noise: ReadonlyArray<string>
}

const callerMs = 2_400
const agentMs = [1_200, 1_400]
const sentence =
  "could you please tell me whether these lamps are still there and how long it takes until they are at my house in town"

/** Louder than this is speech. */
const voiced = 1_000
/** About -55 dB of full scale. */
const noiseLevel = 60

/** `ms` of speech from its first loud sample on. */
const clip = async (voice: string, ms: number): Promise<Uint8Array> => {
  const { samples } = await speak(sentence, "en-US", { voice })
  const start = Math.max(
    0,
    samples.findIndex((sample) => Math.abs(sample) > voiced)
  )
  return encode(samples.slice(start, start + ms * 8))
}

/** The same every time, so that runs compare. */
const noise = (): ReadonlyArray<string> => {
  let state = 1
  return Array.from({ length: 50 }, () => {
    const pcm = Int16Array.from({ length: frameBytes }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
      return Math.round(((state >> 8) / 0x3fffff - 1) * noiseLevel)
    })
    return Buffer.from(encode(pcm)).toString("base64")
  })
}

export const makeClips = async (): Promise<Clips> => ({
  callers: await Promise.all(["m1", "m3", "f1", "f2"].map((voice) => clip(voice, callerMs))),
  agent: await Promise.all(agentMs.map((ms) => clip("f4", ms))),
  noise: noise()
})
