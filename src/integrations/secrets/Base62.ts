/** Random text for secrets that people copy: digits and letters only. */
import { randomBytes } from "node:crypto"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** Random base62 text. Bytes from 248 on are skipped because they would make the first characters of the alphabet more likely. */
export const base62 = (length: number): string => {
  let text = ""
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += alphabet[byte % 62]
  return text
}
