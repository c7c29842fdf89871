/** A mu-law recording that grows by frames. */
import { frameBytes } from "./Mulaw.ts"

export class Tape {
  #bytes = new Uint8Array(frameBytes * 500)
  #length = 0

  /** Makes room for one more frame. The caller of this function fills `bytes[at .. at + 160]`. */
  extend(): { readonly bytes: Uint8Array; readonly at: number } {
    const at = this.#length
    this.#length += frameBytes
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    return { bytes: this.#bytes, at }
  }

  get length(): number {
    return this.#length
  }

  /** The recording from `at` on; valid until the tape grows. */
  from(at: number): Uint8Array {
    return this.#bytes.subarray(at, this.#length)
  }

  /** A copy of everything so far. */
  copy(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }
}
