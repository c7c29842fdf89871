/** The sentences of the load-test calls. Every sentence names its caller and its turn, in words that survive any split into clauses. */
import { fillers } from "../../src/domain/voice/dialogue/FixedPhrases.ts"

/** What the agents of a crowd speak. */
export const language = "en-US"

const names =
  "amber birch cedar daisy ebony fern ginger hazel iris jasmine kelp laurel maple nettle olive poppy quince rose sage thyme umber violet willow yarrow acorn basil clover dill elder fig grape holly".split(
    " "
  )
const base = names.length

const encode = (value: number, words: number): string => {
  const parts: Array<string> = []
  for (let rest = value, word = 0; word < words; word++, rest = Math.floor(rest / base))
    parts.unshift(names[rest % base])
  return parts.join(" ")
}

const decode = (words: ReadonlyArray<string>): number =>
  words.reduce((value, word) => value * base + names.indexOf(word), 0)

/** Which caller and which turn a sentence belongs to. */
export interface Subject {
  readonly caller: number
  readonly turn: number
}

const subject = ({ caller, turn }: Subject) => `${encode(caller, 3)} ${encode(turn, 2)}`

/** What a caller asks. */
export const question = (of: Subject): string => `Do you have the ${subject(of)} lamps?`

/** Clauses of one answer. */
export const clauses = 2
const places = ["first", "second"]

/** One clause of the answer, 1 and up. */
export const answerClause = (of: Subject, clause: number): string =>
  `The ${subject(of)} lamps are ${places[clause - 1]} here.`

const name = `(?:${names.join("|")})`
const questionPattern = new RegExp(`Do you have the ((?:${name} ){5})lamps\\?`, "g")
const answerPattern = new RegExp(`^The ((?:${name} ){5})lamps are (${places.join("|")}) here\\.$`)

const subjectOf = (text: string): Subject => {
  const words = text.trim().split(" ")
  return { caller: decode(words.slice(0, 3)), turn: decode(words.slice(3)) }
}

/** The last question in a text; undefined when there is none. */
export const readQuestion = (text: string): Subject | undefined => {
  const found = [...text.matchAll(questionPattern)].at(-1)
  return found === undefined ? undefined : subjectOf(found[1])
}

/** Whose clause of an answer this is; undefined for anything else. */
export const readAnswerClause = (text: string): (Subject & { readonly clause: number }) | undefined => {
  const found = answerPattern.exec(text)
  return found === null ? undefined : { ...subjectOf(found[1]), clause: places.indexOf(found[2]) + 1 }
}

/** All subjects named in a text, questions and answers alike. */
export const subjectsIn = (text: string): ReadonlyArray<Subject> =>
  [...text.matchAll(new RegExp(`((?:${name} ){5})lamps`, "g"))].map(([, words]) => subjectOf(words))

/** A number for a line that all callers hear: 0 to 16,383, times four. */
export const lineNumber = (text: string): number => {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0
  return (hash & 0x3fff) << 2
}

/** The line that a caller hears between two frames of a clause, when an engine is gone for long. */
export const waitingLine = lineNumber(fillers(language)[1])
