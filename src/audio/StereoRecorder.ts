/** Records both sides of a call by media time, so that stalls and bursts on the network do not shift them. */
import { BYTES_PER_MS, SAMPLE_RATE } from "./Frame.ts"
import { encodeWav } from "./Wav.ts"

const BLOCK_SAMPLES = 10_000 * BYTES_PER_MS

/** Samples of one side in blocks of 10 s: grows without copying, and parts never written stay silent. */
class Track {
  private readonly blocks: Array<Int16Array> = []
  private end = 0

  get length(): number {
    return this.end
  }

  write(pcm: Int16Array, start: number, limit: number): void {
    const stop = Math.min(start + pcm.length, limit)
    for (let at = Math.max(0, start); at < stop; at++) {
      const index = Math.floor(at / BLOCK_SAMPLES)
      while (this.blocks.length <= index) this.blocks.push(new Int16Array(BLOCK_SAMPLES))
      this.blocks[index][at % BLOCK_SAMPLES] = pcm[at - start]
    }
    this.end = Math.max(this.end, stop)
  }

  samples(length: number): Int16Array {
    const out = new Int16Array(length)
    this.blocks.forEach((block, index) => {
      const start = index * BLOCK_SAMPLES
      if (start < length) out.set(block.subarray(0, Math.min(BLOCK_SAMPLES, length - start)), start)
    })
    return out
  }
}

export class StereoRecorder {
  private readonly left = new Track()
  private readonly right = new Track()
  private readonly limit: number

  /** @param maxMs audio beyond this media time is not kept (memory: 32 kB per second of call). */
  constructor(maxMs = 3_600_000) {
    this.limit = maxMs * BYTES_PER_MS
  }

  /** Length of the recording so far, in milliseconds. */
  get durationMs(): number {
    return Math.max(this.left.length, this.right.length) / BYTES_PER_MS
  }

  /** Places the caller's samples (8 kHz) at `mediaMs` of the left channel; what was there is replaced. */
  caller(pcm: Int16Array, mediaMs: number): void {
    this.left.write(pcm, Math.round(mediaMs * BYTES_PER_MS), this.limit)
  }

  /** Places the agent's samples (8 kHz) at `mediaMs` of the right channel; what was there is replaced. */
  agent(pcm: Int16Array, mediaMs: number): void {
    this.right.write(pcm, Math.round(mediaMs * BYTES_PER_MS), this.limit)
  }

  /** The recording so far as a WAV file: caller left, agent right, equally long. */
  wav(): Uint8Array {
    const length = Math.max(this.left.length, this.right.length)
    return encodeWav([this.left.samples(length), this.right.samples(length)], SAMPLE_RATE)
  }
}
