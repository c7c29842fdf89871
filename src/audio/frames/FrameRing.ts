/**
 * Frames of 20 ms that wait for one reader, in an array of a fixed size. A reader that is too slow loses the oldest of them: late sound is worth less than
 * new sound. Allocates nothing after it is made.
 */
import { FRAME_BYTES } from "./Frame.ts"

export class FrameRing {
  private readonly bytes: Uint8Array
  private readonly capacity: number
  private first = 0
  private count = 0
  /** Frames that were forgotten because nobody took them in time. */
  lost = 0

  /** @param capacity the most frames that wait. */
  constructor(capacity: number) {
    this.capacity = capacity
    this.bytes = new Uint8Array(capacity * FRAME_BYTES)
  }

  /** Frames that wait. */
  get length(): number {
    return this.count
  }

  /** Holds a copy of a frame (160 bytes). When the ring is full, the oldest frame is forgotten. */
  push(frame: Uint8Array): void {
    if (this.count === this.capacity) {
      this.skip()
      this.lost++
    }
    const place = ((this.first + this.count) % this.capacity) * FRAME_BYTES
    for (let i = 0; i < FRAME_BYTES; i++) this.bytes[place + i] = frame[i]
    this.count++
  }

  /** Moves the oldest frame to `out`, from its `at`th byte on. False when there is none. */
  take(out: Uint8Array, at = 0): boolean {
    if (this.count === 0) return false
    const place = this.first * FRAME_BYTES
    for (let i = 0; i < FRAME_BYTES; i++) out[at + i] = this.bytes[place + i]
    this.skip()
    return true
  }

  /** Forgets all frames. They do not count as lost. */
  clear(): void {
    this.first = 0
    this.count = 0
  }

  private skip(): void {
    this.first = (this.first + 1) % this.capacity
    this.count--
  }
}
