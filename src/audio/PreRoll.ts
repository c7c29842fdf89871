/** The last moments before speech was recognised as such, so that first syllables reach speech-to-text. */
import { BYTES_PER_MS } from "./Frame.ts"

export class PreRoll {
  private readonly ring: Int16Array
  private next = 0
  private filled = 0

  /** @param ms how much to remember, in milliseconds. */
  constructor(ms = 400) {
    this.ring = new Int16Array(Math.max(1, Math.round(ms * BYTES_PER_MS)))
  }

  /** Milliseconds remembered now. */
  get bufferedMs(): number {
    return this.filled / BYTES_PER_MS
  }

  /** Remembers `pcm` (any length), forgetting the oldest samples. Allocates nothing. */
  push(pcm: Int16Array): void {
    const { ring } = this
    let next = this.next
    for (let i = 0; i < pcm.length; i++) {
      ring[next] = pcm[i]
      if (++next === ring.length) next = 0
    }
    this.next = next
    this.filled = Math.min(ring.length, this.filled + pcm.length)
  }

  /** Hands over what is remembered, oldest first, in one or two pieces (views: copy what must last), and forgets it. */
  drain(fn: (pcm: Int16Array) => void): void {
    const start = this.next - this.filled
    if (this.filled > 0) {
      if (start < 0) {
        fn(this.ring.subarray(start + this.ring.length))
        if (this.next > 0) fn(this.ring.subarray(0, this.next))
      } else {
        fn(this.ring.subarray(start, this.next))
      }
    }
    this.clear()
  }

  /** Forgets everything. */
  clear(): void {
    this.next = 0
    this.filled = 0
  }
}
