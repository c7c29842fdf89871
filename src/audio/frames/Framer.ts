/** Turns chunks of any size, late, lost or out of order, into 160-byte frames in time order. */
import { BYTES_PER_MS, FRAME_BYTES, FRAME_MS, SILENCE } from "./Frame.ts"

/** Timestamps are whole milliseconds and jitter: a chunk this near to its place is simply the next one. */
const TOLERANCE_BYTES = FRAME_MS * BYTES_PER_MS
/** A chunk that comes this much too early may have been overtaking: its predecessor is waited for. */
const REORDER_BYTES = 60 * BYTES_PER_MS
const REORDER_CHUNKS = 3
/** A longer gap is not played as silence: the media time jumps. */
const MAX_GAP_BYTES = 2_000 * BYTES_PER_MS
/** So many late chunks in a row mean that the sender's clock was set back; going on dropping would leave us deaf. */
const MAX_LATE_CHUNKS = 50

interface EarlyChunk {
  readonly payload: Uint8Array
  readonly timestampMs: number
}

export class Framer {
  private readonly onFrame: (frame: Uint8Array, mediaMs: number) => void
  private readonly frame = new Uint8Array(FRAME_BYTES)
  private fill = 0
  /** Media time of byte 0, by the sender's timestamps. */
  private originMs = Number.NaN
  /** Bytes since the origin that were taken or skipped, including the `fill` bytes of the unfinished frame. */
  private position = 0
  private lateChunks = 0
  private early: Array<EarlyChunk> = []

  /**
   * @param onFrame gets 160 mu-law bytes (a buffer that is used again, or the payload itself: copy what must last) and the milliseconds of media
   * between the first chunk's first sample and this frame's first sample.
   */
  constructor(onFrame: (frame: Uint8Array, mediaMs: number) => void) {
    this.onFrame = onFrame
  }

  /**
   * Takes the next chunk as it arrived. `timestampMs` is the sender's time of its first sample; the first chunk sets the
   * origin. Gaps become silence (up to 2 s; longer ones make the media time jump), late and repeated audio is dropped.
   */
  push(payload: Uint8Array, timestampMs: number): void {
    if (Number.isNaN(this.originMs)) this.originMs = timestampMs
    const ahead = this.ahead(timestampMs)
    if (ahead >= TOLERANCE_BYTES) {
      this.hold(payload, timestampMs, ahead)
    } else if (ahead > -TOLERANCE_BYTES) {
      this.lateChunks = 0
      this.append(payload, 0)
      if (this.early.length > 0) this.release(false)
    } else {
      this.late(payload, timestampMs, -ahead)
    }
  }

  /** Bytes between where the chunk belongs and where we are; a timestamp that is no number means "the next one". */
  private ahead(timestampMs: number): number {
    const bytes = (timestampMs - this.originMs) * BYTES_PER_MS - this.position
    return Number.isFinite(bytes) ? bytes : 0
  }

  /** Keeps an early chunk for a moment, or gives up on what is missing before it. */
  private hold(payload: Uint8Array, timestampMs: number, ahead: number): void {
    // Off the usual path, so a copy is allowed: the caller reuses its buffer.
    this.early.push({ payload: payload.slice(), timestampMs })
    this.early.sort((a, b) => a.timestampMs - b.timestampMs)
    if (ahead > REORDER_BYTES || this.early.length >= REORDER_CHUNKS) this.release(true)
  }

  /** Appends held chunks whose place has come; with `all` also the others, with silence (or a jump) before them. */
  private release(all: boolean): void {
    while (this.early.length > 0) {
      const ahead = this.ahead(this.early[0].timestampMs)
      if (ahead >= TOLERANCE_BYTES && !all) return
      const chunk = this.early.shift()!
      if (ahead > MAX_GAP_BYTES) this.jump(Math.round(ahead))
      else if (ahead >= TOLERANCE_BYTES) this.silence(Math.round(ahead))
      if (ahead > -TOLERANCE_BYTES) this.append(chunk.payload, 0)
      else this.append(chunk.payload, Math.round(-ahead))
      this.lateChunks = 0
    }
  }

  /** Drops what was already passed over and keeps what reaches beyond it. */
  private late(payload: Uint8Array, timestampMs: number, behind: number): void {
    if (payload.length > behind) {
      this.lateChunks = 0
      this.append(payload, Math.round(behind))
    } else if (++this.lateChunks > MAX_LATE_CHUNKS) {
      this.lateChunks = 0
      this.originMs = timestampMs - this.position / BYTES_PER_MS
      this.append(payload, 0)
    }
  }

  private append(payload: Uint8Array, from: number): void {
    // What providers send in practice is one whole frame: it needs no copy.
    if (this.fill === 0 && from === 0 && payload.length === FRAME_BYTES) {
      this.position += FRAME_BYTES
      this.onFrame(payload, (this.position - FRAME_BYTES) / BYTES_PER_MS)
      return
    }
    for (let i = from; i < payload.length; i++) {
      this.frame[this.fill++] = payload[i]
      this.position++
      if (this.fill === FRAME_BYTES) this.emit()
    }
  }

  private silence(bytes: number): void {
    for (let i = 0; i < bytes; i++) {
      this.frame[this.fill++] = SILENCE
      this.position++
      if (this.fill === FRAME_BYTES) this.emit()
    }
  }

  private jump(bytes: number): void {
    if (this.fill > 0) {
      const rest = FRAME_BYTES - this.fill
      this.silence(rest)
      this.position += bytes - rest
    } else {
      this.position += bytes
    }
  }

  private emit(): void {
    this.fill = 0
    this.onFrame(this.frame, (this.position - FRAME_BYTES) / BYTES_PER_MS)
  }
}
