/** What callers of the panel do, step by step. Lengths, pauses and places are drawn by a seed; the same seed gives the same calls. */
import { random } from "../../simulators/voice/Noise.ts"

/** `away`: said to somebody else by the caller; `room`: by somebody else in the room, 10 dB softer. */
export const kinds = ["turn", "interruption", "listening", "vocal", "away", "room"] as const
export type Kind = (typeof kinds)[number]
export const isKind = (value: unknown): value is Kind => kinds.some((kind) => kind === value)

export interface Step {
  readonly kind: Kind
  /** Over the agent's speech, or when nobody speaks. */
  readonly over: boolean
  /** Pieces of speech with pauses (ms) between them; a sound of no words is `cough`. */
  readonly parts: ReadonlyArray<string | number>
}

export interface Script {
  readonly name: string
  readonly voice: string
  readonly steps: ReadonlyArray<Step>
}

export const cough = "<cough>"
/** Listening noises of people are short (about 0.4 s): they are spoken fast. */
export const listeningRate = 230
export const roomDb = -10
export const roomVoice = "f5"

const turns: ReadonlyArray<ReadonlyArray<string>> = [
  ["I would like to", "move my appointment to Friday."],
  ["What time do you", "open on Sunday morning?"],
  ["I ordered a blue jacket and", "it has not arrived."],
  ["Could you tell me", "how much the delivery costs?"],
  ["My parcel was sent to", "the old address in Lake Street."],
  ["Do you have this lamp", "in another colour?"],
  ["I need a table for", "four people on Saturday."],
  ["The coffee machine is broken and", "I want my money back."]
]
const interruptions = [
  "No, I meant the other one.",
  "Wait, what about next Friday?",
  "Sorry, can I pay at the door instead?",
  "Actually, please cancel the whole order.",
  "That is not what I asked.",
  "Stop, that was the wrong account.",
  "I already know that, thank you.",
  "But how long does that take?"
]
const listening = ["mm-hm", "uh-huh", "okay", "yeah", "right", "yes", "I see", "sure"]
const vocal = [cough, "um", cough, "uh"]
const away = ["Hold on a second.", "Just a minute, please.", "One moment.", "Wait a minute."]
const room = [
  "Have you seen my keys?",
  "Dinner is ready.",
  "Who are you talking to?",
  "I am going to the shop.",
  "The dog wants to go out."
]
const voices = ["m1", "f1", "m3", "f2", "m4", "f3", "m7", "f4"]

/** Longest pause in the middle of a turn, ms; most are much shorter. */
const longestPauseMs = 1_500

/** One call: a turn with every event over the answer to it, an interruption, then events in the silence after the answer. */
const scriptOf = (name: string, index: number, next: () => number): Script => {
  const pick = <A>(list: ReadonlyArray<A>): A => list[Math.floor(next() * list.length)]
  const [first, second] = pick(turns)
  const pauseMs = Math.round(Math.min(longestPauseMs, 200 * (1 - next()) ** (-1 / 1.5)))
  const notMeant = (over: boolean): Step =>
    (index + (over ? 1 : 0)) % 2 === 0
      ? { kind: "away", over, parts: [pick(away)] }
      : { kind: "room", over, parts: [pick(room)] }
  return {
    name,
    voice: voices[index % voices.length],
    steps: [
      { kind: "turn", over: false, parts: [first, pauseMs, second] },
      { kind: "listening", over: true, parts: [pick(listening)] },
      { kind: "vocal", over: true, parts: [pick(vocal)] },
      { kind: "listening", over: true, parts: [pick(listening)] },
      { kind: "interruption", over: true, parts: [pick(interruptions)] },
      { kind: "vocal", over: false, parts: [pick(vocal)] },
      notMeant(false),
      { kind: "turn", over: false, parts: [pick(turns).join(" ")] },
      notMeant(true)
    ]
  }
}

export const makeScripts = (lines: ReadonlyArray<string>, callsOfLine: number, seed: number): ReadonlyArray<Script> => {
  const next = random(seed)
  return lines.flatMap((line) =>
    Array.from({ length: callsOfLine }, (_, index) => scriptOf(`${line} ${index + 1}`, index, next))
  )
}
