/**
 * What one caller hears: the provider's buffer, and a check of every frame in it. Each frame must be of this call, follow the one before,
 * and come before the buffer runs dry.
 */
import { FrameOrder } from "./FrameOrder.ts"
import { latenessEvery, type Tally } from "./Tally.ts"
import { type Mark, newMark, readMark } from "./Watermark.ts"
import { waitingLine } from "./Words.ts"

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
  readonly #speech: FrameOrder
  /** It comes between any two frames of the agent's speech, which goes on after it. */
  readonly #waitingLine: FrameOrder
  #last: FrameOrder

  constructor(caller: number, tally: Tally) {
    this.#caller = caller
    this.#tally = tally
    this.#speech = new FrameOrder(caller, tally)
    this.#waitingLine = new FrameOrder(caller, tally)
    this.#last = this.#speech
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
    const order = mark.caller === 0 && mark.utterance === waitingLine ? this.#waitingLine : this.#speech
    if (order.take(mark) || order !== this.#last) this.#timed()
    else if (nowMs > this.until) this.#tally.underruns++
    this.#last = order
    if (mark.index >= burstFrames) this.#offsets.push(nowMs - mark.index * frameMs)
    this.until = Math.max(this.until, nowMs) + frameMs
    if (mark.index === mark.total - 1) this.#timed()
    return mark
  }

  /** The provider was told to drop what it has: what was under way is not missed. */
  cleared(nowMs: number): void {
    this.until = nowMs
    this.#speech.cut()
    this.#waitingLine.cut()
    this.#offsets.length = 0
  }

  #unreadable(): void {
    if (this.#speech.unreadable()) {
      this.#tally.resumed++
      return
    }
    this.#tally.errors.unreadable++
    this.#tally.note(`caller ${this.#caller} heard a frame without a mark`)
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
