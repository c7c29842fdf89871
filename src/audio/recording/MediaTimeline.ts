/**
 * Maps a moment of our clock to the caller's media time. Frames are sometimes late and never early, so the least delay of the last ten to twenty
 * seconds is the true one. A stall or a burst does not change it; a drifting or changed clock does.
 */
const FRAMES_PER_LOOK = 500

export class MediaTimeline {
  private previous = Number.POSITIVE_INFINITY
  private current = Number.POSITIVE_INFINITY
  private frames = 0

  /** A frame of the caller with this media time came at `nowMs`. */
  arrived(mediaMs: number, nowMs: number): void {
    if (nowMs - mediaMs < this.current) this.current = nowMs - mediaMs
    if (++this.frames < FRAMES_PER_LOOK) return
    this.previous = this.current
    this.current = Number.POSITIVE_INFINITY
    this.frames = 0
  }

  /** Media time at `nowMs`; our own time until the caller's first frame. */
  at(nowMs: number): number {
    const delay = Math.min(this.previous, this.current)
    return delay === Number.POSITIVE_INFINITY ? nowMs : nowMs - delay
  }
}
