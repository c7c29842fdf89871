/** What a search text of contacts looks for in their names and numbers. */
import { phoneDigits, searchable } from "../../../../domain/people/contacts/Contact.ts"

const literal = (part: string): string => part.replace(/[\\%_]/g, "\\$&")

/** Shorter search texts occur in too many names, so they are searched only at the beginnings of words. */
const shortestPart = 3
/** Characters of scripts without spaces between words, and signs, are searched everywhere even if the search text is short. */
const anywhere =
  /[^\p{L}\p{M}\p{N} ]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/**
 * LIKE patterns for a search text: one or two for the name, and one for the digits of the number. `namePart` and `phonePart` are the texts that a
 * matching name or number contains, with a blank in front if a word or the number must begin there. `undefined`: there is nothing to search for.
 */
export const searchPatterns = (wanted: string) => {
  const [text, digits] = [searchable(wanted), phoneDigits(wanted)]
  if (text === "") return undefined
  const begins = [...text].length < shortestPart && !anywhere.test(text)
  const numberBegins = digits !== undefined && digits.length < shortestPart
  return {
    name: begins ? `${literal(text)}%` : `%${literal(text)}%`,
    inName: begins ? `% ${literal(text)}%` : null,
    phone: digits === undefined ? null : numberBegins ? `${digits}%` : `%${digits}%`,
    namePart: begins ? ` ${text}` : text,
    phonePart: digits === undefined ? null : numberBegins ? ` ${digits}` : digits
  }
}

export type SearchPatterns = NonNullable<ReturnType<typeof searchPatterns>>
