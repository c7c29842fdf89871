/**
 * A short listening sound, e.g. "mm-hm" while the caller speaks long. It is not the agent's speech: it bypasses the play-out, has no marks, is
 * not in the transcript and cannot be interrupted.
 */
import { FRAME_BYTES, SILENCE } from "../frames/Frame.ts"

const NOTHING = new Uint8Array(0)

export class Overlay {
  private sound: Uint8Array = NOTHING
  private position = 0

  /** True while there is something to hand out. */
  get active(): boolean {
    return this.position < this.sound.length
  }

  /** Plays mu-law `audio` (not copied: it may come from a cache). One sound at a time: ignored while another plays. */
  play(audio: Uint8Array): void {
    if (this.active) return
    this.sound = audio
    this.position = 0
  }

  /** Copies the next 160 bytes to `out`, the last ones filled up with silence; false when nothing plays. Allocates nothing. */
  next(out: Uint8Array): boolean {
    if (!this.active) return false
    const { sound, position } = this
    const length = Math.min(FRAME_BYTES, sound.length - position)
    for (let i = 0; i < length; i++) out[i] = sound[position + i]
    if (length < FRAME_BYTES) out.fill(SILENCE, length, FRAME_BYTES)
    this.position += length
    return true
  }

  /** Drops the rest of the sound. */
  stop(): void {
    this.sound = NOTHING
    this.position = 0
  }
}
