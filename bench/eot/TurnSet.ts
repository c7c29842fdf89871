/** Makes the turns of the end-of-turn bench: sentences cut by pauses, spoken by synthesized voices. The same seed gives the same turns. */
import { random } from "../../simulators/voice/Noise.ts"
import { speak } from "../../simulators/voice/Voice.ts"
import { inTurn } from "../support/Run.ts"
import { english } from "./english.ts"
import { hindi } from "./hindi.ts"
import type { Language } from "./Sentence.ts"

const RATE = 8
const turnsOfLanguage = 168
/** Before the caller begins, and after the end: longer than the longest wait. */
const leadMs = 1_500
export const tailMs = 5_000

/** A place to stop gets a hesitation, a breath, or nothing. */
const hesitationShare = 0.24
const breathShare = 0.36
/** Hesitations have a Pareto distribution: 20 % are longer than 1 s. Breaths are equally distributed between two lengths. */
const shortestHesitationMs = 342
const tail = 1.5
const longestHesitationMs = 5_000
const breathMs = [150, 310] as const
/** So many hesitations begin with a filler. */
const fillerShare = 0.35

export interface Word {
  readonly text: string
  readonly endMs: number
}

/** A silence of at least 100 ms. The last one of a turn, which is its end, lasts as long as the recording. */
export interface Silence {
  readonly fromMs: number
  readonly untilMs: number
  readonly isEnd: boolean
}

export interface SpokenTurn {
  readonly language: Language["tag"]
  /** 8 kHz, with nothing but the voice. */
  readonly clean: Int16Array
  readonly words: ReadonlyArray<Word>
  readonly silences: ReadonlyArray<Silence>
}

/** What was said until `ms`, and whether that is all. */
export const saidUntil = ({ words }: SpokenTurn, ms: number) => {
  const said = words.filter(({ endMs }) => endMs <= ms)
  return { text: said.map(({ text }) => text).join(" "), isAll: said.length === words.length }
}

interface Plan {
  readonly language: Language
  readonly voice: string
  readonly rate: number
  readonly pitch: number
  /** Texts, with the pause after each, ms. */
  readonly pieces: ReadonlyArray<{ readonly text: string; readonly pauseMs: number }>
}

/** Numbers in [0, 1) that are spread evenly, so that a few hundred pauses have the lengths of their distribution. */
const spread = (start: number): (() => number) => {
  let at = start
  return () => {
    at = (at + 0.6180339887498949) % 1
    return at
  }
}

const planOf = (language: Language, index: number, next: () => number, length: () => number): Plan => {
  const pick = <A>(list: ReadonlyArray<A>): A => list[Math.floor(next() * list.length)]
  const filled = language.sentences[index % language.sentences.length].replace(/\{(\w+)\}/g, (_, name: string) =>
    pick(language.words[name])
  )
  const pieces: Array<{ text: string; pauseMs: number }> = []
  let text = ""
  const parts = filled.split(" | ")
  for (const [at, part] of parts.entries()) {
    text = text === "" ? part : `${text} ${part}`
    if (at === parts.length - 1) break
    const kind = next()
    if (kind >= hesitationShare + breathShare) continue
    const isBreath = kind >= hesitationShare
    if (!isBreath && next() < fillerShare) text = `${text} ${pick(language.fillers)}`
    const pauseMs = isBreath
      ? breathMs[0] + next() * (breathMs[1] - breathMs[0])
      : Math.min(longestHesitationMs, shortestHesitationMs * (1 - length()) ** (-1 / tail))
    pieces.push({ text, pauseMs: Math.round(pauseMs) })
    text = ""
  }
  pieces.push({ text, pauseMs: 0 })
  return {
    language,
    voice: language.voices[index % language.voices.length],
    rate: 145 + Math.floor(next() * 5) * 10,
    pitch: 30 + Math.floor(next() * 5) * 10,
    pieces
  }
}

/** The samples from the first to the last that can be heard. */
const audible = (samples: Int16Array): { readonly from: number; readonly until: number } => {
  let [from, until] = [0, samples.length]
  while (from < until && Math.abs(samples[from]) < 100) from++
  while (until > from && Math.abs(samples[until - 1]) < 100) until--
  return { from, until }
}

const spoken = async ({ language, voice, rate, pitch, pieces }: Plan): Promise<SpokenTurn> => {
  const parts: Array<{ readonly at: number; readonly samples: Int16Array }> = []
  const words: Array<Word> = []
  const silences: Array<Silence> = []
  let at = leadMs * RATE
  for (const { text, pauseMs } of pieces) {
    const piece = await speak(text, language.tag, { voice, rate, pitch })
    const { from, until } = audible(piece.samples)
    parts.push({ at, samples: piece.samples.subarray(from, until) })
    const end = at + until - from
    for (const word of piece.words)
      words.push({ text: word.text, endMs: Math.min(end, at - from + word.endMs * RATE) / RATE })
    const isEnd = pauseMs === 0
    silences.push({ fromMs: end / RATE, untilMs: end / RATE + (isEnd ? tailMs : pauseMs), isEnd })
    at = end + (isEnd ? tailMs : pauseMs) * RATE
  }
  const clean = new Int16Array(Math.ceil(at / 160) * 160)
  for (const part of parts) clean.set(part.samples, part.at)
  return { language: language.tag, clean, words, silences: silences.filter((one) => one.untilMs - one.fromMs >= 100) }
}

/** All turns, English ones first. */
export const makeTurns = (seed: number): Promise<ReadonlyArray<SpokenTurn>> => {
  const next = random(seed)
  const length = spread(next())
  const plans = [english, hindi].flatMap((language) =>
    Array.from({ length: turnsOfLanguage }, (_, index) => planOf(language, index, next, length))
  )
  return inTurn(plans, 4, spoken)
}
