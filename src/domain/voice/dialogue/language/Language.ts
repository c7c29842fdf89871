/** Compiles the rules of a language for matching: its own tables together with the English ones, because callers mix in English everywhere. */
import { bengali } from "./Bengali.ts"
import { auxiliaries, english, subjects, teens, tens } from "./English.ts"
import { gujarati } from "./Gujarati.ts"
import { hindi } from "./Hindi.ts"
import { kannada } from "./Kannada.ts"
import { malayalam } from "./Malayalam.ts"
import { marathi } from "./Marathi.ts"
import { odia } from "./Odia.ts"
import { punjabi } from "./Punjabi.ts"
import type { LanguageTables } from "./Rules.ts"
import { primarySubtag } from "./Tag.ts"
import { tamil } from "./Tamil.ts"
import { telugu } from "./Telugu.ts"
import { normalise, type PhraseSet, phraseSet } from "./Words.ts"

/** By the first part of the BCP 47 tag. */
const tables: ReadonlyMap<string, LanguageTables> = new Map([
  ["en", english],
  ["hi", hindi],
  ["ta", tamil],
  ["te", telugu],
  ["bn", bengali],
  ["mr", marathi],
  ["gu", gujarati],
  ["pa", punjabi],
  ["kn", kannada],
  ["ml", malayalam],
  ["od", odia]
])

/** Every language's tables. */
export const allTables: ReadonlyArray<LanguageTables> = [...tables.values()]

type Sets = { readonly [Table in Exclude<keyof LanguageTables, "digits">]: PhraseSet }

export interface Language extends Sets {
  /** Digits that a word stands for when a number is dictated. */
  readonly digitWords: ReadonlyMap<string, number>
  /** What people say before the digits of an answer: "yes, it is …". */
  readonly leadIns: PhraseSet
}

const digitWords = (all: ReadonlyArray<LanguageTables>): ReadonlyMap<string, number> =>
  new Map([
    ...all.flatMap(({ digits }) => digits.split(/[,/]/).map((word) => [normalise(word), 1] as const)),
    ...[tens, teens].flatMap((table) => table.split(",").map((word) => [normalise(word), 2] as const))
  ])

/** Said between the groups of a number. */
const continuations =
  "and, then, and then, it, the, this, that's, और, फिर, आणि, અને, এবং, আর, ਅਤੇ, ଆଉ, மற்றும், అప్పుడు, ಮತ್ತು, പിന്നെ"

const compile = (own: LanguageTables): Language => {
  const all = own === english ? [english] : [own, english]
  const set = (...names: ReadonlyArray<Exclude<keyof LanguageTables, "digits">>) =>
    phraseSet(...names.flatMap((name) => all.map((table) => table[name])))
  // A question that ends with several words is complete, whatever the last one is: "कितने का".
  const longQuestionEnds = all.flatMap(({ questionEnds }) =>
    questionEnds.split(",").filter((phrase) => phrase.trim().includes(" "))
  )
  return {
    answers: set("answers"),
    greetings: set("greetings"),
    conditions: set("conditions"),
    consequences: set("consequences"),
    backchannels: set("backchannels"),
    interruptions: set("interruptions"),
    hesitations: set("hesitations"),
    openEnds: set("openEnds"),
    closedEnds: phraseSet(...all.map(({ closedEnds }) => closedEnds), ...longQuestionEnds),
    questionWords: set("questionWords"),
    questionEnds: set("questionEnds"),
    statementEnds: set("statementEnds"),
    possessives: set("possessives"),
    copulas: set("copulas"),
    phone: set("phone"),
    code: set("code"),
    reference: set("reference"),
    account: set("account"),
    card: set("card"),
    aadhaar: set("aadhaar"),
    name: set("name"),
    email: set("email"),
    repeats: set("repeats"),
    letters: set("letters"),
    at: set("at"),
    dot: set("dot"),
    domains: set("domains"),
    humans: set("humans"),
    notHumans: set("notHumans"),
    leadIns: phraseSet(
      continuations,
      ...all.flatMap((table) => [
        table.answers,
        table.backchannels,
        table.hesitations,
        table.copulas,
        table.possessives
      ])
    ),
    digitWords: digitWords(all)
  }
}

const compiled = new Map<LanguageTables, Language>()

/** The rules for a BCP 47 tag such as `hi-IN`; the English rules for a language without tables. */
export const languageOf = (tag: string): Language => {
  const own = tables.get(primarySubtag(tag)) ?? english
  const known = compiled.get(own)
  if (known !== undefined) return known
  const language = compile(own)
  compiled.set(own, language)
  return language
}

/** English puts the verb first in a question. */
export const englishQuestions = {
  asking: phraseSet(english.questionWords),
  auxiliaries: phraseSet(auxiliaries),
  subjects: phraseSet(subjects)
}
