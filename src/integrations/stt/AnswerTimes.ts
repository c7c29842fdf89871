/**
 * How long after a flush a provider may still answer. One that signals activity says at once that it has heard speech, so silence soon means that there
 * was none. One without signals is silent until its transcript comes: how long that takes is learned from its answers. Shared by all streams of a
 * provider in this process, since a new stream of a call must not begin to doubt from nothing. Touched once per message.
 */

/** A signal for speech that was heard before a flush comes within this time after it, or not at all. Milliseconds. */
const signalledMs = 300
/** How long the answers of a provider may take that is not known yet. Milliseconds. */
const unknownMs = 2_500
/** How much longer than the slowest recent answer one may take, and what no answer takes. */
const slower = 1.5
const mostMs = 3_500
/** The part of the slowest answer's time that remains after a faster one. */
const kept = 0.95
/** After so many flushes in a row without a signal on their streams, the provider may have ceased to signal. */
const mostUnsignalled = 20

export class AnswerTimes {
  #signals: boolean | undefined
  #slowestMs = 0
  #unsignalled = 0

  /** How long after a flush the provider may first show that it heard speech before it. Milliseconds. */
  get nothingMs(): number {
    if (this.#signals === true) return signalledMs
    if (this.#signals === undefined) return unknownMs
    return Math.min(mostMs, Math.max(signalledMs, slower * this.#slowestMs))
  }

  /** The provider signalled activity. */
  signalled(): void {
    this.#signals = true
    this.#unsignalled = 0
  }

  /** A transcript came `ms` after its flush on a stream that never had a signal. */
  answeredUnsignalled(ms: number): void {
    this.#signals = false
    this.#unsignalled = 0
    this.#slowestMs = Math.max(ms, kept * this.#slowestMs)
  }

  /** A flush got no answer on a stream that never had a signal. */
  unanswered(): void {
    if (this.#signals === true && ++this.#unsignalled >= mostUnsignalled) this.#signals = undefined
  }
}
