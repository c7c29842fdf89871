/** Which passwords are refused because they are guessed first: common ones, and those made of the words that everybody knows about the person. */
import { dictionary } from "@zxcvbn-ts/language-common"

/** Common passwords in lower case, mostly from leaks; some 49,000. Made at the first use: it is not needed to start. */
let common: ReadonlySet<string> | undefined
const isCommon = (text: string): boolean => {
  common ??= new Set(dictionary["passwords-common"])
  return common.has(text)
}

/** A word with this many characters or fewer beside it counts as that word: `password2026!`. */
const mostBeside = 6
/** Fewer different characters are a pattern: `1212121212`. */
const fewestDifferent = 5

const lettersAndDigits = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

/** The words that people use of themselves: each whole, and its parts. */
const wordsOf = (known: ReadonlyArray<string>): ReadonlyArray<string> =>
  known
    .flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
    .map(lettersAndDigits)
    .filter((word) => word.length >= 3)
    .sort((a, b) => b.length - a.length)

/**
 * Why a new password is refused, as a sentence that goes on after `password is invalid: `; `undefined` when it is not. `known`: the person's e-mail
 * address and name, and the organization's name.
 */
export const passwordProblem = (password: string, known: ReadonlyArray<string>): string | undefined => {
  const lower = password.normalize("NFKC").toLowerCase()
  if (new Set(lower).size < fewestDifferent)
    return `it has fewer than ${fewestDifferent} different characters. Choose several words that do not belong together.`
  const stem = lower.replace(/[^\p{L}]+$/u, "")
  const isStemCommon = stem.length >= 4 && lower.length - stem.length <= mostBeside && isCommon(stem)
  if (isCommon(lower) || isStemCommon)
    return "it is one of the passwords that are guessed first. Choose several words that do not belong together."
  let rest = lettersAndDigits(password)
  const before = rest.length
  for (const word of wordsOf([...known, "parley"])) rest = rest.replaceAll(word, "")
  return rest.length < before && rest.length <= mostBeside
    ? "it is made of the e-mail address, or of the name of the person or the organization. Choose other words."
    : undefined
}
