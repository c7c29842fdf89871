/** The text of bytes in the encoding that a byte order mark, the server or the page names; without one UTF-8, and if they are not that, Windows-1252. */
import { Refused } from "./Refused.ts"

const decoded = (bytes: Uint8Array, encoding: string): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    // Not of this encoding, or no encoding that there is: the caller tries the next.
    return undefined
  }
}

const markOf = ([first, second, third]: Uint8Array): string | undefined => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8"
  if (first === 0xff && second === 0xfe) return "utf-16le"
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined
}

const charset = /charset\s*=\s*["']?([\w:.-]{1,40})/i

/** Throws `Refused` when the bytes are no text. */
export const decodeText = (bytes: Uint8Array, contentType = "", isHtml = false): string => {
  const declared = charset.exec(contentType)?.[1]
  const inPage = isHtml ? charset.exec(Buffer.from(bytes.subarray(0, 2_048)).toString("latin1"))?.[1] : undefined
  for (const encoding of [markOf(bytes), declared, inPage, "utf-8", "windows-1252"]) {
    const text = encoding === undefined ? undefined : decoded(bytes, encoding)
    if (text === undefined) continue
    // Text has no NUL; a file of another kind has.
    if (text.includes("\0")) continue
    return text.replace(/\r\n?/g, "\n")
  }
  throw new Refused("The file is not text of an encoding that is known. Save it as UTF-8.")
}
