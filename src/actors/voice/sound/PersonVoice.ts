/**
 * The voice of a person who has taken a call over, on its way to the caller: frames wait here until the provider has played what it has. It is not speech
 * of the agent: no mark, no transcript. Synchronous.
 */
import { FrameRing } from "../../../audio/frames/FrameRing.ts"

/** The most that waits: a voice that is later than this is cut, so that it is near again. Frames. */
const mostFrames = 10
/** So much waits before the voice begins, and begins again after a gap: networks deliver unevenly. Frames. */
const startFrames = 3
/** Without a frame for so long the person is gone. A microphone sends frames of silence, too. Milliseconds. */
export const personGoneMs = 3_000

export class PersonVoice {
  private readonly ring = new FrameRing(mostFrames)
  private cameAt: number

  /** @param now when the person took the call over. Monotonic milliseconds. */
  constructor(now: number) {
    this.cameAt = now
  }

  /** A frame of the person's microphone. */
  push(frame: Uint8Array, now: number): void {
    this.cameAt = now
    this.ring.push(frame)
  }

  /** Moves the next frame to `out`; false when there is none yet. `dry`: the caller has heard everything that was sent. */
  next(out: Uint8Array, dry: boolean): boolean {
    if (dry && this.ring.length < startFrames) return false
    return this.ring.take(out)
  }

  /** Whether nothing has come from the person for too long. */
  gone(now: number): boolean {
    return now - this.cameAt >= personGoneMs
  }
}
