/** Whether the frames of the agent's speech come in order, each once. What is wrong goes into the tally. */
import type { Tally } from "./Tally.ts"
import type { Mark } from "./Watermark.ts"

export class FrameOrder {
  readonly #caller: number
  readonly #tally: Tally
  #utterance = -1
  #index = -1
  #total = 0
  /** The provider was told to drop what it had, and no frame could be read since. */
  #cut = false
  /** Frames since then that could not be read. */
  #unread = 0

  constructor(caller: number, tally: Tally) {
    this.#caller = caller
    this.#tally = tally
  }

  /** Takes the next frame. True when it does not simply follow the one before: an utterance begins, or goes on after a cut. */
  take(mark: Mark): boolean {
    const cut = this.#cut
    this.#cut = false
    if (mark.utterance !== this.#utterance) return this.#begin(mark, cut || this.#utterance < 0)
    // After a cut an utterance goes on at a frame that was heard already, or at the next one.
    if (cut && mark.index <= this.#index + this.#unread + 1) return this.#goOn(mark)
    // A line that all callers hear, such as one that fills a wait, may be said again.
    if (mark.caller === 0 && mark.index === 0 && this.#isWhole) return this.#begin(mark, true)
    this.#follow(mark)
    return false
  }

  /** The provider was told to drop what it has: what was under way is not missed. */
  cut(): void {
    this.#cut = true
    this.#unread = 0
  }

  /** A frame came that cannot be read. True after a cut: the agent may go on in the middle of a frame. */
  unreadable(): boolean {
    if (this.#cut) this.#unread++
    return this.#cut
  }

  get #isWhole(): boolean {
    return this.#index === this.#total - 1
  }

  #begin(mark: Mark, restIsNotMissed: boolean): true {
    const missing = (restIsNotMissed ? 0 : this.#total - 1 - this.#index) + mark.index
    if (missing > 0) {
      this.#tally.errors.lost += missing
      this.#tally.note(
        `caller ${this.#caller}: ${missing} frames are missing before frame ${mark.index} of ${mark.utterance}`
      )
    }
    return this.#goOn(mark)
  }

  #goOn({ utterance, index, total }: Mark): true {
    this.#utterance = utterance
    this.#index = index
    this.#total = total
    return true
  }

  #follow({ index }: Mark): void {
    const step = index - this.#index
    if (step > 1) this.#tally.errors.lost += step - 1
    else if (step < 1) this.#tally.errors.repeated++
    if (step !== 1) this.#tally.note(`caller ${this.#caller}: frame ${index} after ${this.#index}`)
    this.#index = index
  }
}
