/** What the agent has sent and is not heard yet: speech, and marks that are told when all before them was heard. Pure; `test/web/testCall.test.ts`. */
import { silence } from "./mulaw.ts"

type Item = { readonly kind: "speech"; readonly bytes: Uint8Array } | { readonly kind: "mark"; readonly name: string }

/** Beyond this much unheard speech the oldest is thrown away: ten minutes, which no agent says at once. */
const mostBytes = 10 * 60 * 8_000
/** What is heard as it happens may be this late. Beyond it, what waits is thrown away: 300 ms. */
const mostLiveBytes = 2_400
/** So much silence comes first, since networks deliver unevenly: 60 ms. */
const aheadBytes = 480

export class Playout {
  #items: Array<Item> = []
  #offset = 0
  #bytes = 0
  readonly #heard: (mark: string) => void

  /** `heard` is told each mark. */
  constructor(heard: (mark: string) => void) {
    this.#heard = heard
  }

  media(bytes: Uint8Array): void {
    if (this.#bytes + bytes.length > mostBytes) this.clear()
    this.#items.push({ kind: "speech", bytes })
    this.#bytes += bytes.length
  }

  /** Sound that is heard as it happens: after a gap it begins a moment later, and it never falls far behind. */
  live(bytes: Uint8Array): void {
    if (this.#bytes + bytes.length > mostLiveBytes) this.clear()
    if (this.#bytes === 0) this.media(new Uint8Array(aheadBytes).fill(silence))
    this.media(bytes)
  }

  mark(name: string): void {
    this.#items.push({ kind: "mark", name })
    this.#tellMarks()
  }

  /** Throws away what is not heard yet. Its marks count as heard. */
  clear(): void {
    const left = this.#items
    this.#items = []
    this.#offset = 0
    this.#bytes = 0
    for (const item of left) if (item.kind === "mark") this.#heard(item.name)
  }

  /** The next byte to be heard; undefined while there is nothing. */
  next(): number | undefined {
    const [item] = this.#items
    if (item?.kind !== "speech") return undefined
    const byte = item.bytes[this.#offset++]
    this.#bytes--
    if (this.#offset >= item.bytes.length) {
      this.#items.shift()
      this.#offset = 0
      this.#tellMarks()
    }
    return byte
  }

  #tellMarks(): void {
    while (true) {
      const [item] = this.#items
      if (item === undefined) return
      if (item.kind === "speech" && item.bytes.length > 0) return
      this.#items.shift()
      if (item.kind === "mark") this.#heard(item.name)
    }
  }
}
