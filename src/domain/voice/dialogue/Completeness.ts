/**
 * Judges from the words whether the caller has finished; the audio path uses it to decide how long to wait. English and the ten Indic languages
 * have tables in `language/`. The English tables apply in every language, because callers mix languages.
 */
import { dictation } from "./language/Dictation.ts"
import { englishQuestions, type Language, languageOf } from "./language/Language.ts"
import { endsWith, madeOf, phraseSet, says, unstretched, without, wordsOf } from "./language/Words.ts"

/**
 * - `finished`: a complete question, a short complete answer, everything of a number;
 * - `likely`: reads like a complete sentence;
 * - `unknown`: no evidence, for example no punctuation;
 * - `unfinished`: trails off, or is in the middle of a number, a name, an e-mail address.
 */
export type Completeness = "finished" | "likely" | "unknown" | "unfinished"

/** Short answers in a row that are still an answer: "yes, yes, okay, thank you". */
const maxAnswers = 6

/** Number of characters read, from the end, so that a very long transcript costs no more than a long sentence. */
const longestRead = 2_000

const openPunctuation = /(?:[,;:،–—-]|\.{2,}|…)["'”’)\]]*$/u
const questionMark = /[?؟]["'”’)\]]*$/u
const fullStop = /[.!।॥|]["'”’)\]]*$/u

/** English questions may end with these: "who is it for". */
const stranded = phraseSet("to, for, from, with, about, in, on, at, of, by, into")
/** Verbs whose "to" wants another verb: "what do you want to". */
const infinitive = phraseSet(
  "want to, wants to, wanted to, need to, needs to, like to, going to, trying to, able to, supposed to, wish to, how to, ready to, used to, hoping to, planning to"
)
/** Verbs that end a question inside a question: "where my order is". */
const be = phraseSet("is, are, was, were, am, be")
const pronouns = phraseSet("i, you, we, they, he, she, it, that, this, there, these, those")
/** Said before the sentence proper. */
const openers = phraseSet(
  "and, so, but, or, also, then, please, sorry, hello, hi, hey, excuse me, yes, no, okay, ok, alright, well, um, uh, sir, madam, ma'am, good morning, good afternoon, good evening, by the way, actually"
)

const withoutOpeners = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  let from = 0
  while (from < words.length - 1) {
    if (from < words.length - 2 && madeOf(words.slice(from, from + 2), openers) > 0) from += 2
    else if (says(words.slice(from, from + 1), openers)) from++
    else break
  }
  return words.slice(from)
}

/** "what time do you open", "is it far": a question by the order of its words. */
const asksInEnglish = (all: ReadonlyArray<string>): boolean => {
  const words = withoutOpeners(all)
  const { asking, auxiliaries, subjects } = englishQuestions
  if (words.length === 2) return says(words.slice(0, 1), asking) && words[0].endsWith("'s")
  if (words.length < 2) return false
  if (says(words.slice(0, 1), auxiliaries)) return says(words.slice(1, 2), subjects) || words.length > 3
  if (!says(words.slice(0, 1), asking)) return false
  return words[0].endsWith("'s") || words[1] === "about" || words[1] === "come" || says(words.slice(1, -1), auxiliaries)
}

/** "where my order is", "what time it is": the verb at the end belongs to a question inside. */
const endsInnerQuestion = (words: ReadonlyArray<string>): boolean => {
  if (!endsWith(words, be)) return false
  const asked = words.findIndex((word) => englishQuestions.asking.phrases.has(word))
  // "what I wanted to ask is" announces.
  if (asked < 0 || /^(i|we)$/.test(words[asked + 1])) return false
  const distance = words.length - 1 - asked
  return distance > 2 || (distance === 2 && says(words.slice(-2, -1), pronouns))
}

const trailsOff = (words: ReadonlyArray<string>, language: Language, asked: boolean): boolean => {
  if (endsWith(words, language.closedEnds)) return false
  if (endsWith(words, language.hesitations)) return !(asked && words.length > 1)
  if (!endsWith(words, language.openEnds)) return false
  if (asked && words.length === 1) return false
  if (words.length > 2 && endsWith(words, stranded) && says(words, englishQuestions.asking))
    return endsWith(words, infinitive)
  return !endsInnerQuestion(words)
}

const dictatable = (words: ReadonlyArray<string>, { phone, code, reference, account, card, name, email }: Language) =>
  [phone, code, reference, account, card, name, email].some((set) => endsWith(words, set))

/** "my number", "मेरा नंबर है", "order number": what is announced has not been said yet. */
const announces = (words: ReadonlyArray<string>, language: Language): boolean => {
  const proper = withoutOpeners(words)
  if (proper.length === 2 && endsWith(proper, language.phone) && dictatable(proper.slice(0, 1), language)) return true
  if (!says(proper.slice(0, 1), language.possessives) || says(proper, language.questionWords)) return false
  const announced = endsWith(proper, language.copulas) ? proper.slice(0, -1) : proper
  return announced.length <= 5 && dictatable(announced, language)
}

/** Greatest number of words in a sentence that still counts as a condition without its other half. */
const longestCondition = 8

/** "if I cancel now", "अगर मैं कल आऊं": the other half is still to come. */
const isCondition = (words: ReadonlyArray<string>, language: Language): boolean => {
  const proper = withoutOpeners(words)
  return (
    proper.length <= longestCondition &&
    says(proper.slice(0, 1), language.conditions) &&
    !says(proper.slice(1), language.consequences) &&
    !says(proper.slice(1), englishQuestions.auxiliaries)
  )
}

const isQuestion = (words: ReadonlyArray<string>, language: Language): boolean =>
  (words.length > 1 && endsWith(words, language.questionEnds)) ||
  (words.length === 1 && says(words, language.questionWords)) ||
  (says(words, language.questionWords) && endsWith(words, language.statementEnds)) ||
  asksInEnglish(words)

/** What the words say so far. `language` is the agent's primary language (BCP 47). Any text is allowed. */
export const completeness = (text: string, language: string): Completeness => {
  const written = text.slice(-longestRead).normalize("NFC").trim()
  const rules = languageOf(language)
  const words = unstretched(wordsOf(written))
  if (words.length === 0) return "unknown"

  const asked = questionMark.test(written)
  const question = isQuestion(words, rules)
  const dictated = dictation(written, words, rules)
  // "Where is my order 42?": a number in a question is not being dictated.
  if (dictated !== undefined && asked && question) return "finished"
  if (dictated === "finished" || dictated === "unfinished") return dictated
  if (openPunctuation.test(written)) return "unfinished"
  if (dictated === "plausible") return "unknown"

  const stopped = fullStop.test(written)
  const answers = madeOf(without(words, rules.hesitations), rules.answers)
  if (answers > 0 && answers <= maxAnswers) return "finished"
  if (!asked && madeOf(words, rules.greetings) > 0) return "unknown"
  // "Wait, one minute": more will follow.
  if (madeOf(words, rules.interruptions) > 0) return "unfinished"
  if (trailsOff(words, rules, asked)) return "unfinished"
  if (!asked && announces(words, rules)) return "unfinished"
  if (!asked && !stopped && isCondition(words, rules)) return "unfinished"
  if (asked || question) return "finished"
  if (stopped || endsWith(words, rules.statementEnds)) return "likely"
  return "unknown"
}

export interface PauseBounds {
  /** The agent's bounds of the silence that ends a turn. */
  readonly minMs: number
  readonly maxMs: number
  /** The caller's own pauses (`PauseLearner`); `undefined` before any was heard. */
  readonly learnedMs: number | undefined
}

/** After an unfinished sentence the wait is at least this share of the way from the minimum to the maximum. */
const unfinishedShare = 0.6
/** The same without evidence: 610 ms with the default bounds (docs/quality.md). */
const unknownShare = 0.1
/** It is also at least this many times the caller's usual pause, because half of all pauses are longer than the average. */
const unfinishedFactor = 1.5
const unknownFactor = 1.25

/**
 * The silence after the last voiced frame that ends the turn, in milliseconds, always within the agent's bounds. A complete sentence needs only
 * the minimum. Without evidence it takes a little more, and the caller's usual pause counts. An unfinished sentence gets a long wait, but not an
 * endless one, because people do trail off.
 */
export const patienceMs = (completeness: Completeness, { minMs, maxMs, learnedMs }: PauseBounds): number => {
  const learned = learnedMs ?? minMs
  const wanted = () => {
    switch (completeness) {
      case "finished":
      case "likely":
        return minMs
      case "unknown":
        return Math.max((learnedMs ?? 0) * unknownFactor, minMs + unknownShare * (maxMs - minMs))
      case "unfinished":
        return Math.max(learned * unfinishedFactor, minMs + unfinishedShare * (maxMs - minMs))
    }
  }
  return Math.min(maxMs, Math.max(minMs, wanted()))
}
