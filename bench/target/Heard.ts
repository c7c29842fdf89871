/** What one caller hears: the provider's buffer, when it runs dry in the middle of speech, and when the other side is heard. By sound alone, whoever sends it. */
import { powerOf } from "../../src/audio/frames/Mulaw.ts"

const frameMs = 20
/** About -42 dB of full scale: softer is silence, comfort noise or the line's own. */
const audiblePower = 260 ** 2
/** A caller's telephone plays what comes after silence so much later, so that what comes a little late is not missed. */
const bufferMs = 40
/** A gap of silence up to this long is a hole in speech; a longer one is a pause between two utterances. */
const holeMs = 300

export class Heard {
  /** When all that was sent has been played, on the monotonic clock. */
  until = 0
  /** When the other side was heard last, and since when without a longer silence than `holeMs`. */
  audibleAt = Number.NEGATIVE_INFINITY
  audibleSince = Number.NEGATIVE_INFINITY
  /** Frames that are to be played, oldest first: when each is due, and whether it is audible. */
  readonly #due: Array<number> = []
  readonly #audible: Array<boolean> = []

  /** Takes a frame of 160 bytes that came at `now`. Gives how long the caller heard a hole before it in the middle of speech, milliseconds, else 0. */
  take(frame: Uint8Array, now: number): number {
    const dryMs = now - this.until
    const audible = powerOf(frame) > audiblePower
    const broken =
      audible && dryMs > 0 && dryMs <= holeMs && this.#due.length === 0 && this.until - this.audibleAt <= frameMs
    const dueAt = dryMs > 0 ? now + bufferMs : this.until
    this.until = dueAt + frameMs
    this.#due.push(dueAt)
    this.#audible.push(audible)
    return broken ? dryMs : 0
  }

  /** What is due at `now` is heard. */
  play(now: number): void {
    let played = 0
    for (; played < this.#due.length && this.#due[played] <= now; played++) {
      if (!this.#audible[played]) continue
      if (this.#due[played] - this.audibleAt > holeMs) this.audibleSince = this.#due[played]
      this.audibleAt = this.#due[played] + frameMs
    }
    if (played === 0) return
    this.#due.splice(0, played)
    this.#audible.splice(0, played)
  }

  /** The provider was told to drop what it has. */
  clear(now: number): void {
    this.play(now)
    this.#due.length = 0
    this.#audible.length = 0
    this.until = Math.min(this.until, now)
  }

  /** How much is sent and not played yet, milliseconds. */
  aheadMs(now: number): number {
    return Math.max(0, this.until - now)
  }

  /** Milliseconds since the other side was heard; 0 while it is. */
  quietMs(now: number): number {
    return Math.max(0, now - this.audibleAt)
  }
}
