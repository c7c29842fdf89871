/**
 * Detects whether a contact wants no more messages, or wants them again. Only a message that says nothing else counts: "Please stop by at five" is
 * not a wish.
 */
import type { Message } from "../conversations/Message.ts"
import { type OptOutLanguage, optOutLanguages } from "./OptOutWords.ts"

export interface OptOutWish {
  readonly wish: "stop" | "start"
  /** The language of the word. */
  readonly language: OptOutLanguage
}

/** Joiners and variation selectors, which keyboards add and people do not see. */
const unseen = /\p{Cf}|\p{Variation_Selector}/gu
/** Malayalam chillus in the spelling of old keyboards: consonant, virama, joiner. */
const oldChillus: ReadonlyArray<readonly [RegExp, string]> = [
  [/ണ്\u200d/g, "ൺ"],
  [/ന്\u200d/g, "ൻ"],
  [/ര്\u200d/g, "ർ"],
  [/ല്\u200d/g, "ൽ"],
  [/ള്\u200d/g, "ൾ"]
]

/** The words in lower case with one blank between them, without accents of Latin letters, punctuation and emoji. */
export const plainWords = (text: string): string => {
  const written = oldChillus.reduce((line, [old, chillu]) => line.replace(old, chillu), text.normalize("NFC"))
  return written
    .replace(unseen, "")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/([a-z])[\u0300-\u036f]+/g, "$1")
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim()
}

const words = new Map<string, ReadonlyArray<OptOutWish>>()
for (const language of optOutLanguages)
  for (const wish of ["stop", "start"] as const)
    for (const word of language[wish]) {
      const key = plainWords(word)
      words.set(key, [...(words.get(key) ?? []), { wish, language }])
    }

/** A longer message is never a wish. Characters. */
const longest = 60

/** Whether the number belongs to a country that speaks Portuguese. */
const isPortuguese = (phone: string | null): boolean => phone !== null && /^\+(55|351|244|258|238)/.test(phone)

/** The wish in a text; `undefined` when there is none. `phone` (E.164) decides between languages that share a word. */
export const optOutWish = (text: string, phone: string | null): OptOutWish | undefined => {
  if (text.length > longest) return undefined
  const found = words.get(plainWords(text)) ?? []
  const wanted = isPortuguese(phone) ? "pt" : "es"
  return found.find(({ language }) => language.tag === wanted) ?? found[0]
}

/** The text of a message or of its button, or the words heard in a voice message; `undefined` for a message without text. */
export const textOfMessage = ({ type, content }: Pick<Message, "type" | "content">): string | undefined => {
  if (type === "audio") return typeof content.transcript === "string" ? content.transcript : undefined
  if (type !== "text" && type !== "button" && type !== "interactive") return undefined
  const said = [content.text, content.title, content.payload].find((part) => typeof part === "string")
  return typeof said === "string" ? said : undefined
}

/** The answer to a wish, in its language. */
export const confirmation = ({ wish, language }: OptOutWish): string =>
  wish === "stop" ? language.stopped : language.started
