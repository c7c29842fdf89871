/**
 * Recognizes that the caller is dictating digits, letters or an e-mail address. Such speech has pauses between its groups, and it ends when it is
 * complete, not at a pause.
 */
import type { Language } from "./Language.ts"
import { endsWith, madeOf, type PhraseSet, phraseSet, says } from "./Words.ts"

export type Dictation = "finished" | "plausible" | "unfinished"

/** Numbers of digits in a dictation: with `plausible` digits it may be complete, with `complete` digits it is. */
interface Length {
  readonly plausible: number
  readonly complete: number
}

const lengths = {
  card: { plausible: 15, complete: 16 },
  aadhaar: { plausible: 12, complete: 12 },
  /** One-time passwords have 4 or 6 digits, postal codes 5 or 6. */
  code: { plausible: 4, complete: 6 },
  reference: { plausible: 4, complete: 10 },
  account: { plausible: 9, complete: 10 },
  /** Also "my number is …", whatever number that is. */
  phone: { plausible: 10, complete: 10 }
} satisfies Record<string, Length>

const subjects = ["card", "aadhaar", "code", "reference", "account", "phone"] as const

/** Digits of a telephone number with a country code of one digit. With a longer code, fewer digits follow it. */
const maxPhoneDigits = 11

/** "+91" comes before the ten digits, "0" before them on a landline. */
const lengthOfPhone = (text: string, digits: string): Length => {
  if (/(\+|\bplus )\s*91/iu.test(text)) return { plausible: 12, complete: 12 }
  return digits.startsWith("0") ? { plausible: 10, complete: 11 } : lengths.phone
}

interface DigitRun {
  readonly start: number
  readonly words: number
  readonly digits: number
}

/** The digits at the end of the words: "double five" counts two, "ninety eight" two, "98765" five. */
const digitRun = (words: ReadonlyArray<string>, language: Language): DigitRun => {
  let digits = 0
  let start = words.length
  for (let at = words.length - 1; at >= 0; at--) {
    const word = words[at]
    const next = at + 1 < words.length ? words[at + 1] : ""
    const spoken = language.digitWords.get(word)
    if (/^\d+$/.test(word)) digits += word.length
    else if (spoken === 2 && word.endsWith("ty") && language.digitWords.get(next) === 1) digits += 1
    else if (spoken !== undefined) digits += spoken
    else if (language.repeats.phrases.has(word) && next !== "") digits += word.startsWith("tr") ? 2 : 1
    else break
    start = at
  }
  return { start, words: words.length - start, digits }
}

/** "₹500", "5:30", "2.5" are told, not dictated. */
const amount = /([₹$€£]|rs\.?)\s*[\d.,]+\s*[.!?।]*$|\d[:.]\d{1,2}\s*[.!?।]*$/iu

/** What "call me" asks for a time with: "call me back at five", "call me after ten thirty". */
const callsMe = phraseSet("call me, reach me, text me, contact me")
const timeWords = phraseSet("at, around, about, by, after, before, until, till, from")

/** Whether the digits after "call me … at" are a time of the day: one number, or an hour and its minutes in tens or teens. */
const isTime = (before: ReadonlyArray<string>, run: ReadonlyArray<string>, { digitWords }: Language): boolean => {
  const [hour, minutes, ...rest] = run
  if (!says(before, callsMe) || !says(before.slice(-1), timeWords) || hour === undefined || rest.length > 0)
    return false
  const isHour = /^\d+$/.test(hour) ? hour.length <= 2 : digitWords.has(hour)
  return isHour && (minutes === undefined || /^\d\d$/.test(minutes) || digitWords.get(minutes) === 2)
}

const dictatedDigits = (text: string, words: ReadonlyArray<string>, language: Language): Dictation | undefined => {
  const told = endsWith(words, language.copulas) ? words.slice(0, -1) : words
  const run = digitRun(told, language)
  if (run.digits === 0 || amount.test(text)) return undefined
  const before = told.slice(0, run.start)
  if (isTime(before, told.slice(run.start), language)) return undefined
  const subject = subjects.find((name) => says(before, language[name]))
  const onlyDigits = before.length === 0 || madeOf(before, language.leadIns) > 0
  if (subject === undefined && !onlyDigits && run.words < 3) return undefined
  const first = told[run.start]
  const { plausible, complete } =
    subject === undefined || subject === "phone" ? lengthOfPhone(text, first) : lengths[subject]
  // Longer than a telephone number and shorter than a card's: digits that nobody announced may be either.
  const maybeCard = run.digits > maxPhoneDigits && run.digits < lengths.card.complete && !text.includes("+")
  if (subject === undefined && maybeCard) return "plausible"
  if (run.digits >= complete) return "finished"
  // "…98765 है": whoever says the verb has ended the sentence.
  if (told.length < words.length) return undefined
  if (run.digits >= plausible) return "plausible"
  // A single digit with a full stop answers a question like "how many?".
  return subject === undefined && run.digits === 1 && /[.!।]$/u.test(text) ? "plausible" : "unfinished"
}

const providers: PhraseSet = phraseSet(
  "gmail, g mail, yahoo, hotmail, outlook, rediffmail, rediff, icloud, protonmail, जीमेल, जी मेल, याहू, हॉटमेल, आउटलुक, रेडिफमेल, જીમેલ, યાહૂ, জিমেল, জিমেইল, ইয়াহু, ਜੀਮੇਲ, ਯਾਹੂ, ଜିମେଲ, ଜିମେଲ୍, ୟାହୁ, ஜிமெயில், ஜீமெயில், யாஹூ, జీమెయిల్, జిమెయిల్, యాహూ, ಜಿಮೇಲ್, ಜೀಮೇಲ್, ಯಾಹೂ, ജിമെയിൽ, ജീമെയിൽ, യാഹൂ"
)

/** The position of the word "dot" in a phrase such as "dot com"; -1 when there is none. */
const domainAt = (words: ReadonlyArray<string>, language: Language): number => {
  for (let at = words.length - 2; at >= 0; at--)
    if (language.dot.phrases.has(words[at]) && language.domains.phrases.has(words[at + 1])) return at
  return -1
}

const halfDomain = /^(co|को|কো|કો|ਕੋ|କୋ|கோ|కో|ಕೋ|കോ)$/u

/** "raj at gmail". */
const saysAtProvider = (words: ReadonlyArray<string>, { at }: Language): boolean =>
  words.some((word, index) => at.phrases.has(word) && says(words.slice(index + 1, index + 2), providers))

/** "my email is …", not "my email is not working". */
const announcesEmail = (
  words: ReadonlyArray<string>,
  { email, copulas, possessives, questionWords }: Language
): boolean =>
  says(words.slice(0, 2), possessives) &&
  !says(words, questionWords) &&
  words.some(
    (word, index) => copulas.phrases.has(word) && endsWith(words.slice(0, index), email) && words[index + 1] !== "not"
  )

/** Whether "at the rate" is said; it occurs only in e-mail addresses. */
const saysAtTheRate = (words: ReadonlyArray<string>, { at }: Language): boolean =>
  words.some((_, from) => [3, 4].some((count) => at.phrases.has(words.slice(from, from + count).join(" "))))

const dictatedEmail = (text: string, words: ReadonlyArray<string>, language: Language): Dictation | undefined => {
  if (/[^\s@]@[^\s@]+\.\p{L}{2,}[.!?।]*$/u.test(text)) return "finished"
  if (/@[^\s@.]*[.।]?$/u.test(text)) return "unfinished"
  const domain = domainAt(words, language)
  // "dot co" goes on with "dot in" or not.
  if (domain >= 0 && domain >= words.length - 2) return halfDomain.test(words[domain + 1]) ? "plausible" : "finished"
  if (domain >= 0) return endsWith(words, language.copulas) && domain === words.length - 3 ? "finished" : undefined
  // "point" and "period" are English words of their own.
  if (endsWith(words, language.dot) && !/^(point|period)$/.test(words[words.length - 1])) return "unfinished"
  return saysAtProvider(words, language) || saysAtTheRate(words, language) || announcesEmail(words, language)
    ? "unfinished"
    : undefined
}

const isLetter = (word: string) => /^\p{Script=Latin}$/u.test(word)

/** Abbreviations that are said as letters, but are not the spelling of a name. */
const notSpelled = phraseSet("a m, p m, u s, u k, t v, a c, o k, i d, i a, i i")

/** "m as in mary", "m for mumbai". */
const spellsByWord = (words: ReadonlyArray<string>): boolean =>
  (isLetter(words.at(-3) ?? "") && words.at(-2) === "for") ||
  (isLetter(words.at(-4) ?? "") && words.at(-3) === "as" && words.at(-2) === "in")

const dictatedLetters = (words: ReadonlyArray<string>, language: Language): Dictation | undefined => {
  if (spellsByWord(words)) return "unfinished"
  let letters = 0
  let native = 0
  for (let at = words.length - 1; at >= 0; at--) {
    if (isLetter(words[at])) letters++
    else if (language.letters.phrases.has(words[at])) native++
    else break
  }
  if (native > 0) return letters + native >= 3 ? "unfinished" : undefined
  if (letters === 2 && endsWith(words, notSpelled)) return undefined
  if (letters >= 2) return "unfinished"
  // "it is s": nobody ends a sentence with a letter; "a" and "i" are words.
  const told = endsWith(words.slice(0, -1), language.copulas)
  if (letters !== 1 || !told) return undefined
  const announced = says(words, language.name) || says(words, language.email)
  return announced || !/^[ai]$/u.test(words[words.length - 1]) ? "unfinished" : undefined
}

/** `undefined` when nothing is being dictated. `text` is what was transcribed, trimmed; `words` are its words. */
export const dictation = (text: string, words: ReadonlyArray<string>, language: Language): Dictation | undefined =>
  dictatedEmail(text, words, language) ?? dictatedDigits(text, words, language) ?? dictatedLetters(words, language)
