/** A scripted call: what the caller does, and by that what is expected of the agent. */
import type { NoiseKind } from "../../simulators/voice/Noise.ts"

export const categories = [
  "plain",
  "hesitation",
  "numbers",
  "e-mail",
  "backchannel",
  "noise",
  "double-talk",
  "interruption",
  "silence"
] as const
export type Category = (typeof categories)[number]

/** Pieces of speech with pauses (ms) between them. */
export type Parts = ReadonlyArray<string | number>

/** Short sounds that are no words. */
export type Sound = "cough" | "click" | "bang"

export type Step =
  /** When the agent has finished: one turn of the caller, which is answered once, with all of its text. */
  | { readonly _tag: "Turn"; readonly parts: Parts }
  /** A turn that begins so long after the agent's answer did: the agent stops, and answers it once. */
  | { readonly _tag: "Interrupt"; readonly afterMs: number; readonly parts: Parts }
  /** "mm-hm" or a noise so long after the agent's answer began: the agent says its answer to the end. */
  | { readonly _tag: "Over"; readonly afterMs: number; readonly what: string | { readonly sound: Sound } }
  /** A noise so long after the agent has finished: nothing is said to it. */
  | { readonly _tag: "Between"; readonly afterMs: number; readonly what: { readonly sound: Sound } }
  /** The caller says nothing, until the agent asks. */
  | { readonly _tag: "Quiet" }

export interface Dialogue {
  /** Unique; says what it is about. */
  readonly id: string
  readonly category: Category
  readonly language: "en-US" | "hi-IN"
  /** An eSpeak variant: callers are different people. */
  readonly voice: string
  /** What lies under the whole call. */
  readonly noise: NoiseKind | "babble"
  readonly steps: ReadonlyArray<Step>
}

export const turn = (...parts: Parts): Step => ({ _tag: "Turn", parts })
export const interrupt = (afterMs: number, ...parts: Parts): Step => ({ _tag: "Interrupt", afterMs, parts })
export const backchannel = (afterMs: number, text: string): Step => ({ _tag: "Over", afterMs, what: text })
export const noiseOver = (afterMs: number, sound: Sound): Step => ({ _tag: "Over", afterMs, what: { sound } })
export const noiseBetween = (afterMs: number, sound: Sound): Step => ({ _tag: "Between", afterMs, what: { sound } })
export const quiet: Step = { _tag: "Quiet" }

export const isText = (part: string | number): part is string => typeof part === "string"

/** What the caller of a dialogue says, piece by piece. */
export const linesOf = ({ steps }: Dialogue): ReadonlyArray<string> =>
  steps.flatMap((step) => {
    switch (step._tag) {
      case "Turn":
      case "Interrupt":
        return step.parts.filter(isText)
      case "Over":
        return typeof step.what === "string" ? [step.what] : []
      default:
        return []
    }
  })

/** Decibels of speech over noise; null: a clean line. */
export const levels = [null, 20, 10, 5] as const
export type Level = (typeof levels)[number]
export const levelName = (level: Level): string => (level === null ? "clean" : `${level} dB`)
