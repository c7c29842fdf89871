/**
 * Samples kept in their order until they are of no more use, in blocks that all calls share: speech comes 50 times a second and is forgotten after
 * seconds, so an array of its own for each frame would leave the young generation and be collected late.
 */

/** 200 ms at 8 kHz. */
const BLOCK_SAMPLES = 1_600
/** Blocks without a user that are kept for the next one: of 800 s of speech, 13 MB. */
const MOST_FREE = 4_000

const free: Array<Int16Array> = []

export class KeptSamples {
  private readonly most: number
  private blocks: Array<Int16Array> = []
  /** Samples in the last block. */
  private filled = BLOCK_SAMPLES

  /** @param most at least 200 ms; when more would be kept, the oldest are forgotten, up to 200 ms at a time. */
  constructor(most: number) {
    this.most = most
  }

  /** Samples kept. */
  get length(): number {
    return (this.blocks.length - 1) * BLOCK_SAMPLES + this.filled
  }

  /** Keeps a copy. */
  push(samples: Int16Array): void {
    for (let at = 0; at < samples.length; ) {
      if (this.filled === BLOCK_SAMPLES) {
        this.blocks.push(free.pop() ?? new Int16Array(BLOCK_SAMPLES))
        this.filled = 0
      }
      const part = samples.subarray(at, at + BLOCK_SAMPLES - this.filled)
      this.blocks[this.blocks.length - 1].set(part, this.filled)
      this.filled += part.length
      at += part.length
    }
    while (this.length > this.most) release(this.blocks.shift())
  }

  /** Hands over what is kept, oldest first, piece by piece (views: copy what must last). */
  forEach(fn: (samples: Int16Array) => void): void {
    const last = this.blocks.length - 1
    this.blocks.forEach((block, i) => {
      fn(i === last ? block.subarray(0, this.filled) : block)
    })
  }

  /** Forgets everything. */
  clear(): void {
    this.blocks.forEach(release)
    this.blocks = []
    this.filled = BLOCK_SAMPLES
  }
}

const release = (block: Int16Array | undefined): void => {
  if (block !== undefined && free.length < MOST_FREE) free.push(block)
}
