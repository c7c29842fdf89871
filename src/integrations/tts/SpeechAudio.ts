/** The audio in the body of one response, once it is clear that it is audio. */
import { type Answer, readText } from "../connections/Answer.ts"
import { explain } from "./SpeechFailure.ts"
import { WavHeaderStripper } from "./WavHeaderStripper.ts"

/** The body has no audio in it. The message says what it has. */
export class NoAudio extends Error {
  override readonly name = "NoAudio"
}

/** The most that is read of an explanation. Bytes. */
const maxTextBytes = 4_096
/** So much of a body decides whether it is text. Bytes. */
const decidingBytes = 64
/** The beginning of JSON or of a page. Silence may be any of these bytes, but not two of them in such an order. */
const beginsLikeText = /^\s*(\{\s*["}]|\[\s*["{[\]]|<[!?a-z])/i
/** What may go on to begin like that. */
const mayBecomeText = /^\s*([{[]\s*|<)?$/
const isPlain = /^[\s\u0020-\u007e\u00a0-\ufffc]*$/u

const startOf = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, decidingBytes)).toString("utf8")
/** Whether more bytes are needed to know if these are text. */
const isOpen = (bytes: Uint8Array): boolean => {
  if (bytes.length >= decidingBytes) return false
  const start = startOf(bytes)
  return mayBecomeText.test(start) || beginsLikeText.test(start)
}
const isText = (bytes: Uint8Array): boolean => {
  const start = startOf(bytes)
  // The cut may have torn the last character apart. Bytes of audio are no characters, either.
  return beginsLikeText.test(start) && isPlain.test(start.replace(/\ufffd$/, ""))
}

const none: Uint8Array = new Uint8Array(0)

/** The audio of one response as it comes, without a header. Begin before anything else. */
export class SpeechAudio {
  readonly #rest: Answer
  readonly #header = new WavHeaderStripper()
  /** Sound that was read and not passed on. */
  #waiting = none
  #ended = false

  constructor(rest: Answer) {
    this.#rest = rest
  }

  /** Waits for the first sound. Rejects with `NoAudio`, with `BodyLate`, or because the connection broke. */
  async begin(leftMs: () => number): Promise<void> {
    while (!this.#ended && (this.#waiting.length === 0 || isOpen(this.#waiting))) {
      const sound = await this.#read(leftMs())
      this.#waiting = this.#waiting.length === 0 ? sound : Buffer.concat([this.#waiting, sound])
    }
    if (this.#waiting.length === 0) throw new NoAudio("The response has no audio")
    if (isText(this.#waiting)) throw new NoAudio(`Expected audio, got text: ${explain(await this.#asText(leftMs))}`)
  }

  /** The next piece with sound in it; undefined at the end. */
  async next(betweenChunksMs: number): Promise<Uint8Array | undefined> {
    while (this.#waiting.length === 0 && !this.#ended) this.#waiting = await this.#read(betweenChunksMs)
    const sound = this.#waiting
    this.#waiting = none
    return sound.length === 0 ? undefined : sound
  }

  leave(): void {
    this.#rest.leave()
  }

  async #read(ms: number): Promise<Uint8Array> {
    const piece = await this.#rest.next(ms)
    this.#ended = piece === undefined
    return piece === undefined ? this.#header.end() : this.#header.push(piece)
  }

  /** What there is of an explanation. */
  async #asText(leftMs: () => number): Promise<string> {
    const rest = this.#ended
      ? ""
      : await readText(this.#rest, maxTextBytes, performance.now() + leftMs()).catch(() => "")
    return Buffer.from(this.#waiting).toString("utf8") + rest
  }
}
