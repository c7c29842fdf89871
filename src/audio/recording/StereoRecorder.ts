/**
 * Both sides of a call as one stereo stream, placed by media time, so that stalls and bursts on the network shift nothing. The last two
 * seconds stay open for changes (audio that comes late, speech that was sent ahead and then cut off); what is older leaves in blocks.
 */
import { BYTES_PER_MS, FRAME_BYTES, FRAME_MS } from "../frames/Frame.ts"
import * as Mulaw from "../frames/Mulaw.ts"

const BLOCK_MS = 500
const BLOCK = BLOCK_MS * BYTES_PER_MS
/** The times of outgoing frames are estimates: one this near to the end of the one before simply follows it, without a click. */
const TOLERANCE = FRAME_MS * BYTES_PER_MS
/** A frame this far after all others does not belong to this call; taking it would mean writing all the silence before it. */
const MAX_GAP = 60_000 * BYTES_PER_MS

const LEFT = 0
const RIGHT = 1

export interface StereoRecorderOptions {
  /** How long what was placed may still be changed, ms; rounded up to half seconds. Default 2,000 (64 kB of memory). */
  readonly windowMs?: number
}

export class StereoRecorder {
  private readonly sink: (interleaved: Int16Array) => void
  /** Interleaved samples of the window; whole blocks, so that one never wraps around. */
  private readonly ring: Int16Array
  private readonly capacity: number
  private readonly decoded = new Int16Array(FRAME_BYTES)
  /** First sample that was not handed out, and the end of what was placed: samples of one side since media time 0. */
  private base = 0
  private head = 0
  private agentEnd = 0
  private ended = false

  /** @param sink gets what is finished, in order and without gaps: left, right, left … The array is used again: copy what must last. */
  constructor(sink: (interleaved: Int16Array) => void, options: StereoRecorderOptions = {}) {
    this.sink = sink
    this.capacity = (Math.ceil((options.windowMs ?? 2_000) / BLOCK_MS) + 1) * BLOCK
    this.ring = new Int16Array(this.capacity * 2)
  }

  /** The caller's samples (8 kHz), heard at `mediaMs`: left. What was there is replaced. */
  caller(pcm: Int16Array, mediaMs: number): void {
    this.place(LEFT, pcm, pcm.length, Math.round(mediaMs * BYTES_PER_MS))
  }

  /** A frame of the agent (at most 160 bytes), to be heard at `mediaMs`: right. */
  agent(mulaw: Uint8Array, mediaMs: number): void {
    Mulaw.decodeInto(mulaw, this.decoded)
    const wanted = Math.round(mediaMs * BYTES_PER_MS)
    const start = Math.abs(wanted - this.agentEnd) <= TOLERANCE ? this.agentEnd : wanted
    if (this.place(RIGHT, this.decoded, mulaw.length, start)) this.agentEnd = start + mulaw.length
  }

  /** What was placed on the agent's side from `mediaMs` on is never heard. */
  agentStopped(mediaMs: number): void {
    const from = Math.max(this.base, Math.round(mediaMs * BYTES_PER_MS))
    for (let at = from; at < this.head; at++) this.ring[(at % this.capacity) * 2 + RIGHT] = 0
    this.agentEnd = Math.min(this.agentEnd, from)
  }

  /** The call ended at `mediaMs`: hands out the rest up to there. Nothing is taken afterwards. */
  end(mediaMs: number): void {
    if (this.ended) return
    this.ended = true
    const end = Math.min(this.head, Math.round(mediaMs * BYTES_PER_MS))
    while (this.base < end) this.release(Math.min(BLOCK, end - this.base))
  }

  /** Copies the part that lies in the window or after it; false when the frame is of no use. */
  private place(side: number, pcm: Int16Array, length: number, start: number): boolean {
    const end = start + length
    // Written so that a time that is no number is refused too.
    if (this.ended || !(end > this.base && start - this.head <= MAX_GAP)) return false
    while (end - this.base > this.capacity) this.release(BLOCK)
    const { capacity, ring } = this
    const from = Math.max(start, this.base)
    for (let i = from - start, at = from % capacity; i < length; i++) {
      ring[at * 2 + side] = pcm[i]
      if (++at === capacity) at = 0
    }
    if (end > this.head) this.head = end
    return true
  }

  private release(samples: number): void {
    const at = (this.base % this.capacity) * 2
    const block = this.ring.subarray(at, at + samples * 2)
    this.sink(block)
    block.fill(0)
    this.base += samples
  }
}
