/** The lines on which the turns of the end-of-turn bench are heard. */
import { mixAt, type NoiseKind, noise } from "../../simulators/voice/Noise.ts"
import { decode, encode } from "../../src/audio/frames/Mulaw.ts"
import type { SpokenTurn } from "./TurnSet.ts"

export interface Condition {
  readonly name: string
  readonly snrDb: number | undefined
}
export const conditions: ReadonlyArray<Condition> = [
  { name: "clean", snrDb: undefined },
  { name: "20 dB", snrDb: 20 },
  { name: "10 dB", snrDb: 10 }
]

/** By turns: steady noises, and those that change. */
const kinds: ReadonlyArray<NoiseKind> = ["pink", "fan", "comfort", "street"]
const noiseSeconds = 40

/** Gives the function that puts a turn on a line, as the service gets it. */
export const makeLines = () => {
  const backgrounds = kinds.map((kind, i) => noise(kind, noiseSeconds * 8_000, 9_001 + i))
  return ({ clean }: SpokenTurn, { snrDb }: Condition, index: number): Int16Array => {
    if (snrDb === undefined) return decode(encode(clean))
    const background = backgrounds[index % kinds.length].subarray((index * 1_777) % (10 * 8_000))
    return decode(encode(mixAt(clean, background, snrDb)))
  }
}
