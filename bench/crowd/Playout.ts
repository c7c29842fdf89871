/**
 * What one caller hears: the provider's buffer, and a check of every frame in it. Each frame must be of this call, follow the one before,
 * and come before the buffer runs dry.
 */
import { latenessEvery, type Tally } from "./Tally.ts"
import { type Mark, newMark, readMark } from "./Watermark.ts"

const frameMs = 20
/** The first frames of an answer come at once, ahead of time. */
const burstFrames = 6

export class Playout {
  /** When the buffer will be empty, on the monotonic clock. */
  until = 0
  readonly #tally: Tally
  readonly #caller: number
  readonly #mark: Mark = newMark()
  readonly #offsets: Array<number> = []
  #utterance = -1
  #index = -1
  #total = 0
  /** After a clear the agent may go on in the middle of a frame: its marks cannot be read until the next clause. */
  #interrupted = false

  constructor(caller: number, tally: Tally) {
    this.#caller = caller
    this.#tally = tally
  }

  /** Takes 160 bytes; gives their mark, or undefined when they have none. Checks are left out where sound is changed on its way. */
  take(bytes: Uint8Array, nowMs: number, check: boolean): Mark | undefined {
    const mark = this.#mark
    if (!check || !readMark(bytes, 0, mark)) {
      if (check) this.#unreadable()
      this.until = Math.max(this.until, nowMs) + frameMs
      return undefined
    }
    if (mark.caller !== 0 && mark.caller !== this.#caller) {
      this.#tally.errors.crossed++
      this.#tally.note(`caller ${this.#caller} heard an answer to caller ${mark.caller}`)
    }
    this.#interrupted = false
    // A line that all callers hear, such as one that fills a wait, may be said again.
    const again = mark.caller === 0 && mark.index === 0 && this.#index === this.#total - 1
    if (mark.utterance !== this.#utterance || again) this.#begin(mark)
    else this.#follow(mark, nowMs)
    if (mark.index >= burstFrames) this.#offsets.push(nowMs - mark.index * frameMs)
    this.until = Math.max(this.until, nowMs) + frameMs
    if (mark.index === mark.total - 1) this.#timed()
    return mark
  }

  /** The provider was told to drop what it has: what was under way is not missed. */
  cleared(nowMs: number): void {
    this.until = nowMs
    this.#utterance = -1
    this.#interrupted = true
    this.#offsets.length = 0
  }

  #unreadable(): void {
    if (this.#interrupted) {
      this.#tally.resumed++
      return
    }
    this.#tally.errors.unreadable++
    this.#tally.note(`caller ${this.#caller} heard a frame without a mark`)
  }

  #begin({ utterance, index, total }: Mark): void {
    const missing = (this.#utterance < 0 ? 0 : this.#total - 1 - this.#index) + index
    if (missing > 0) {
      this.#tally.errors.lost += missing
      this.#tally.note(`caller ${this.#caller}: ${missing} frames are missing before frame ${index} of ${utterance}`)
    }
    this.#timed()
    this.#utterance = utterance
    this.#index = index
    this.#total = total
  }

  #follow({ index }: Mark, nowMs: number): void {
    const step = index - this.#index
    if (step > 1) this.#tally.errors.lost += step - 1
    else if (step < 1) this.#tally.errors.repeated++
    if (step !== 1) this.#tally.note(`caller ${this.#caller}: frame ${index} after ${this.#index}`)
    if (nowMs > this.until) this.#tally.underruns++
    this.#index = index
  }

  /** Lateness of a clause's frames, after the earliest of them. */
  #timed(): void {
    const offsets = this.#offsets
    if (offsets.length > 1) {
      let earliest = offsets[0]
      for (const offset of offsets) earliest = Math.min(earliest, offset)
      const { lateness } = this.#tally.times
      for (let at = 0; at < offsets.length; at += latenessEvery) lateness.push(offsets[at] - earliest)
    }
    offsets.length = 0
  }
}
