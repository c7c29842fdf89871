/**
 * Text as people write it: no control characters (also no NUL, which the database cannot hold), no halves of characters. Names have one line,
 * messages may have more.
 */
import { Schema } from "effect"

/** Text of others, whom nobody can ask for better: the database holds no NUL and no halves of characters, a sign stands for each of them. */
export const storable = (text: string): string => text.replace(/\p{Cs}/gu, "\uFFFD").replaceAll("\0", "\uFFFD")

/** What the database cannot hold: NUL, and halves of characters. */
export const isStorable = (text: string): boolean => !/[\0\p{Cs}]/u.test(text)

/** At most `maximum` characters of any kind that can be stored; it may be blank. */
export const anyText = (maximum: number) =>
  Schema.String.check(
    Schema.isMaxLength(maximum),
    Schema.makeFilter((text: string) => isStorable(text) || "must not contain NUL or broken characters.")
  )

const strange = /[\p{Cc}\p{Cs}\u2028\u2029]/u

/** At most `maximum` characters; it may be blank. */
export const oneLine = (maximum: number) =>
  Schema.String.check(
    Schema.isMaxLength(maximum),
    Schema.makeFilter((text: string) => !strange.test(text) || "must not contain control characters.")
  )

/** At most `maximum` characters, and not blank. */
export const plainText = (maximum: number) =>
  oneLine(maximum).check(Schema.makeFilter((text: string) => text.trim() !== "" || "must not be blank."))

/** Line breaks and tabs are part of writing. */
const strangeInLines = /[\p{Cs}]|(?![\t\n\r])\p{Cc}/u

/** At most `maximum` characters in any number of lines, and not blank. */
export const lines = (maximum: number) =>
  Schema.String.check(
    Schema.isMaxLength(maximum),
    Schema.makeFilter(
      (text: string) => !strangeInLines.test(text) || "must not contain control characters other than line breaks."
    ),
    Schema.makeFilter((text: string) => text.trim() !== "" || "must not be blank.")
  )
