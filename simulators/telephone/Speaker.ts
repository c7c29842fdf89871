/** Audio that the network itself plays to the caller: the file of a `<Play>`, or the tone before a `<Record>`. */
import { encodeSample, frameBytes, silence } from "./Mulaw.ts"

/** 1 kHz for 300 ms. */
export const tone: Uint8Array = Uint8Array.from({ length: 2_400 }, (_, i) =>
  encodeSample(Math.round(8_000 * Math.sin((2 * Math.PI * i) / 8)))
)

export class Speaker {
  #mulaw: Uint8Array = new Uint8Array(0)
  #at = 0

  get idle(): boolean {
    return this.#at >= this.#mulaw.length
  }

  /** Plays from the next tick on, in place of the audio under way. */
  load(mulaw: Uint8Array): void {
    this.#mulaw = mulaw
    this.#at = 0
  }

  /** Writes the next 160 bytes; false when there is nothing to play. */
  tick(heard: Uint8Array, at: number): boolean {
    if (this.idle) return false
    const piece = this.#mulaw.subarray(this.#at, this.#at + frameBytes)
    heard.fill(silence, at, at + frameBytes)
    heard.set(piece, at)
    this.#at += frameBytes
    return true
  }
}
