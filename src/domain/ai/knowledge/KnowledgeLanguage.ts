/** The languages whose words are found in all their forms ("return", "returns", "returned"). Texts of other languages are found by their words as written. */

/** Each language with the database's dictionary of its word stems. */
export const stemDictionaries = {
  en: "english_stem",
  hi: "hindi_stem",
  es: "spanish_stem",
  ta: "tamil_stem",
  fr: "french_stem",
  de: "german_stem",
  pt: "portuguese_stem",
  it: "italian_stem",
  nl: "dutch_stem",
  id: "indonesian_stem",
  other: "simple"
} as const

export type KnowledgeLanguage = keyof typeof stemDictionaries

export const knowledgeLanguages = Object.keys(stemDictionaries) as ReadonlyArray<KnowledgeLanguage>

/** Scripts that tell the language. */
const scripts: ReadonlyArray<readonly [RegExp, KnowledgeLanguage]> = [
  [/\p{Script=Devanagari}/gu, "hi"],
  [/\p{Script=Tamil}/gu, "ta"]
]

/** Small words that are frequent in one of these languages and rare in the others. */
const smallWords: ReadonlyArray<readonly [KnowledgeLanguage, ReadonlySet<string>]> = [
  ["en", new Set(["the", "and", "of", "is", "are", "you", "with", "for", "what", "how", "this", "can", "your"])],
  ["es", new Set(["el", "los", "las", "del", "una", "por", "con", "para", "que", "es", "está", "y", "cómo", "su"])],
  ["fr", new Set(["le", "les", "des", "une", "est", "et", "pour", "dans", "vous", "avec", "au", "votre"])],
  ["de", new Set(["der", "die", "das", "und", "ist", "nicht", "mit", "für", "ein", "eine", "sie", "wie"])],
  ["pt", new Set(["os", "uma", "não", "para", "com", "você", "são", "ao", "pelo", "seu", "é", "em"])],
  ["it", new Set(["il", "gli", "della", "di", "che", "per", "non", "sono", "una", "è", "nel", "con"])],
  ["nl", new Set(["het", "een", "en", "van", "niet", "met", "voor", "zijn", "wij", "u", "uw", "dat"])],
  ["id", new Set(["yang", "dan", "di", "untuk", "dengan", "tidak", "dari", "anda", "kami", "ini"])]
]

const sampled = 4_000

/** The language of a text: by its script, then by its small words; `usual` when neither tells. */
export const textLanguage = (text: string, usual: KnowledgeLanguage): KnowledgeLanguage => {
  const sample = text.slice(0, sampled)
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  for (const [script, language] of scripts)
    if ((sample.match(script)?.length ?? 0) > letters / 2)
      return language === "hi" && usual === "other" ? usual : language
  const words = sample.toLowerCase().match(/\p{L}+/gu) ?? []
  const counts = smallWords.map(
    ([language, small]) => [language, words.filter((word) => small.has(word)).length] as const
  )
  const [best, next] = counts.toSorted(([, a], [, b]) => b - a)
  return best[1] >= 3 && best[1] > next[1] * 1.5 ? best[0] : usual
}
