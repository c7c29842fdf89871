/** Turns the bytes of a text file into text while they come. What is no text that we know is refused with a sentence that says how to save it. */
import { ImportRefused } from "../../domain/imports/Import.ts"

const refused = (message: string) => new ImportRefused({ message })

const asUtf8 = `Save it as UTF-8 (in a spreadsheet: "CSV UTF-8") and send it again.`

/** The character sets that a sender may name. */
const charsets: ReadonlyMap<string, string> = new Map([
  ["utf-8", "utf-8"],
  ["utf8", "utf-8"],
  ["us-ascii", "utf-8"],
  ["utf-16", "utf-16le"],
  ["utf-16le", "utf-16le"],
  ["utf-16be", "utf-16be"],
  ["iso-8859-1", "windows-1252"],
  ["latin1", "windows-1252"],
  ["windows-1252", "windows-1252"]
])

const begins = (bytes: Uint8Array, ...first: ReadonlyArray<number>) => first.every((byte, at) => bytes[at] === byte)

/** Files that people take for text. */
const binary = (bytes: Uint8Array): string | undefined => {
  if (begins(bytes, 0x50, 0x4b, 0x03, 0x04) || begins(bytes, 0xd0, 0xcf, 0x11, 0xe0))
    return `The file is a workbook or another packed file, not CSV. ${asUtf8}`
  if (begins(bytes, 0x1f, 0x8b)) return "The file is compressed. Send it as it is, without compression."
  if (begins(bytes, 0x25, 0x50, 0x44, 0x46)) return "The file is a PDF, not CSV."
  return undefined
}

/** The character set that the first bytes show, or the one that the sender names. */
const charsetOf = (bytes: Uint8Array, named: string | undefined): string => {
  if (begins(bytes, 0xff, 0xfe)) return "utf-16le"
  if (begins(bytes, 0xfe, 0xff)) return "utf-16be"
  const known = named === undefined ? "utf-8" : charsets.get(named)
  if (known === undefined) throw refused(`The charset ${named?.slice(0, 40)} is not one that is read. ${asUtf8}`)
  return known
}

/** Bytes to look at before the first are decoded. */
const enough = 4

export class TextDecoding {
  readonly #named: string | undefined
  #decoder: InstanceType<typeof TextDecoder> | undefined
  #charset = ""
  #first: Uint8Array = new Uint8Array(0)

  constructor(named: string | undefined) {
    this.#named = named
  }

  /** The text of the next bytes; `last`: of those that are left. Throws ImportRefused. */
  decode(bytes: Uint8Array, last = false): string {
    if (this.#decoder === undefined) {
      this.#first = new Uint8Array(Buffer.concat([this.#first, bytes]))
      if (this.#first.byteLength < enough && !last) return ""
      const problem = binary(this.#first)
      if (problem !== undefined) throw refused(problem)
      this.#charset = charsetOf(this.#first, this.#named)
      // The byte order mark is left out of the text.
      this.#decoder = new TextDecoder(this.#charset, { fatal: true })
      return this.#text(this.#decoder, this.#first, last)
    }
    return this.#text(this.#decoder, bytes, last)
  }

  #text(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, last: boolean): string {
    let text: string
    try {
      text = decoder.decode(bytes, { stream: !last })
    } catch {
      throw refused(
        `The file is not ${this.#charset === "utf-8" ? "UTF-8: it seems to be Latin-1 or Windows-1252" : this.#charset}. ${asUtf8}`
      )
    }
    // Text has no NUL, but UTF-16 that is read as UTF-8 is full of them.
    if (this.#charset === "utf-8" && text.includes("\0"))
      throw refused(`The file has NUL characters: it is not text, or it is UTF-16 without its mark. ${asUtf8}`)
    return text
  }
}
