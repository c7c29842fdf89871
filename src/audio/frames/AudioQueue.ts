/**
 * A queue of mu-law audio: audio that waits to be heard, was just heard, or has no transcript yet. The bytes lie in blocks that all calls share.
 * Audio comes 50 times a second and is dropped after seconds. With an array for each piece, the arrays would reach the old generation and be
 * collected late. With one array of the longest size for each call, most of it would be empty most of the time.
 */
import { BYTES_PER_MS } from "./Frame.ts"

const BLOCK_BYTES = 200 * BYTES_PER_MS
/** Free blocks that are kept for later use: 800 s of audio, 6 MB. */
const MOST_FREE = 4_000

const free: Array<Uint8Array> = []

export class AudioQueue {
  private readonly most: number
  private blocks: Array<Uint8Array> = []
  /** Bytes of the first block that were dropped. */
  private dropped = 0
  private count = 0

  /** @param most bytes; when more would be held, the oldest are forgotten. */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.most = most
  }

  /** Bytes held. */
  get length(): number {
    return this.count
  }

  /** Holds a copy. */
  push(audio: Uint8Array): void {
    const { length } = audio
    for (let at = 0; at < length; ) {
      const filled = this.dropped + this.count
      const block = Math.floor(filled / BLOCK_BYTES)
      if (block === this.blocks.length) this.blocks.push(free.pop() ?? new Uint8Array(BLOCK_BYTES))
      const place = filled - block * BLOCK_BYTES
      const fits = Math.min(length - at, BLOCK_BYTES - place)
      this.blocks[block].set(fits === length ? audio : audio.subarray(at, at + fits), place)
      this.count += fits
      at += fits
    }
    if (this.count > this.most) this.drop(this.count - this.most)
  }

  /** Copies up to `out.length` bytes, from the `from`th held on, to the start of `out`; returns how many. Allocates nothing. */
  copy(out: Uint8Array, from: number): number {
    const copied = Math.max(0, Math.min(out.length, this.count - from))
    const start = this.dropped + from
    let index = Math.floor(start / BLOCK_BYTES)
    for (let i = 0, place = start - index * BLOCK_BYTES; i < copied; index++, place = 0) {
      const block = this.blocks[index]
      for (const end = Math.min(copied, i + BLOCK_BYTES - place); i < end; i++) out[i] = block[place++]
    }
    return copied
  }

  /** Forgets the `count` oldest bytes. */
  drop(count: number): void {
    if (count >= this.count) {
      this.clear()
      return
    }
    this.count -= count
    this.dropped += count
    for (; this.dropped >= BLOCK_BYTES; this.dropped -= BLOCK_BYTES) release(this.blocks.shift())
  }

  /** Hands over what is held, oldest first, piece by piece (views: copy what must last). */
  forEach(fn: (audio: Uint8Array) => void): void {
    let start = this.dropped
    let left = this.count
    for (const block of this.blocks) {
      const end = Math.min(BLOCK_BYTES, start + left)
      fn(start === 0 && end === BLOCK_BYTES ? block : block.subarray(start, end))
      left -= end - start
      start = 0
    }
  }

  /** Hands over what is held, as `forEach` does, and forgets it. */
  drain(fn: (audio: Uint8Array) => void): void {
    this.forEach(fn)
    this.clear()
  }

  /** Forgets everything. */
  clear(): void {
    while (this.blocks.length > 0) release(this.blocks.pop())
    this.dropped = 0
    this.count = 0
  }
}

const release = (block: Uint8Array | undefined): void => {
  if (block !== undefined && free.length < MOST_FREE) free.push(block)
}
