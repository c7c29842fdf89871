/** Collects the audio of one stream, and detects the start and end of speech over a tracked noise floor. */

const frame = 160
/** Frames over the threshold that start speech (40 ms). */
const startFrames = 2
const preRollSamples = 8_000
const longestSamples = 30 * 8_000

export type Signal = "START_SPEECH" | "END_SPEECH"

export class Segment {
  #audio = new Int16Array(16_000)
  #length = 0
  #measured = 0
  #floor = 30
  #loud = 0
  #quiet = 0
  readonly #endFrames: number
  speaking = false

  /** Silence of `trailingSilenceMs` ends the speech. */
  constructor(trailingSilenceMs: number) {
    this.#endFrames = Math.ceil(trailingSilenceMs / 20)
  }

  /** Takes audio of any length. Returns the starts and ends of speech in it. */
  push(samples: Int16Array): ReadonlyArray<Signal> {
    this.#append(samples)
    const signals: Array<Signal> = []
    for (; this.#measured + frame <= this.#length; this.#measured += frame) {
      const signal = this.#step(this.#level(this.#measured))
      if (signal) signals.push(signal)
      if (signal === "END_SPEECH") return signals
    }
    return signals
  }

  /** Takes the audio since the last transcript, at most 30 s, with up to a second before the speech. The segment is empty afterwards. */
  take(): Int16Array {
    const taken = this.#audio.slice(0, this.#length)
    this.#length = 0
    this.#measured = 0
    this.#loud = 0
    this.#quiet = 0
    this.speaking = false
    return taken
  }

  #step(level: number): Signal | undefined {
    // The floor falls at once and rises by about 6 dB a second, so that speech does not become the floor.
    this.#floor = Math.max(30, Math.min(level, this.#floor * (this.speaking ? 1.002 : 1.014)))
    const loud = level > 3 * this.#floor + 60
    this.#loud = loud ? this.#loud + 1 : 0
    this.#quiet = loud ? 0 : this.#quiet + 1
    if (!this.speaking && this.#loud >= startFrames) {
      this.speaking = true
      return "START_SPEECH"
    }
    return this.speaking && this.#quiet >= this.#endFrames ? "END_SPEECH" : undefined
  }

  #level(from: number): number {
    let sum = 0
    for (let i = from; i < from + frame; i++) sum += this.#audio[i] * this.#audio[i]
    return Math.sqrt(sum / frame)
  }

  #append(samples: Int16Array): void {
    const most = this.speaking || this.#loud > 0 ? longestSamples : preRollSamples
    const tooMany = this.#length + samples.length - most
    // Whole frames go, in larger steps, so that little is moved around.
    const forget = tooMany > 0 ? Math.min(this.#measured, Math.ceil(tooMany / 1_600) * 1_600) : 0
    if (forget > 0) {
      this.#audio.copyWithin(0, forget, this.#length)
      this.#length -= forget
      this.#measured -= forget
    }
    if (this.#length + samples.length > this.#audio.length) {
      const larger = new Int16Array(2 * (this.#length + samples.length))
      larger.set(this.#audio.subarray(0, this.#length))
      this.#audio = larger
    }
    this.#audio.set(samples, this.#length)
    this.#length += samples.length
  }
}
