/**
 * The caller's speech that has no transcript yet. A place in it is a position: the bytes of speech since the beginning of the call. So the mind can say
 * what it has understood, and ask for the rest again, without keeping any of it.
 */
import { AudioQueue } from "../../../audio/frames/AudioQueue.ts"
import { BYTES_PER_MS } from "../../../audio/frames/Frame.ts"
import type { SpeechSink } from "./CallSound.ts"

/** More than one request to speech-to-text may take, so that a mind that is away for as long loses no word. The oldest is forgotten. */
const keptBytes = 30_000 * BYTES_PER_MS

export class KeptSpeech {
  private readonly audio = new AudioQueue(keptBytes)
  private heard = 0

  /** The position after the last byte. */
  get end(): number {
    return this.heard
  }
  /** The position of the oldest byte that is kept. */
  get start(): number {
    return this.heard - this.audio.length
  }
  push(audio: Uint8Array): void {
    this.audio.push(audio)
    this.heard += audio.length
  }
  /** What comes before `position` is understood. */
  forget(position: number): void {
    const count = position - (this.heard - this.audio.length)
    if (count > 0) this.audio.drop(count)
  }
  /** A copy of what is kept from `from` to `to`, and where that begins: later than `from` when the oldest was forgotten. */
  piece(from: number, to: number): { readonly position: number; readonly audio: Uint8Array } {
    const start = this.heard - this.audio.length
    const position = Math.max(from, start)
    const audio = new Uint8Array(Math.max(0, to - position))
    return { position, audio: audio.subarray(0, this.audio.copy(audio, position - start)) }
  }
  /** Hands over what is kept from `from` on, piece by piece (views: copy what must last). */
  replay(from: number, hear: SpeechSink["hear"]): void {
    let position = this.heard - this.audio.length
    let again = true
    this.audio.forEach((piece) => {
      const skipped = Math.min(piece.length, Math.max(0, from - position))
      if (skipped < piece.length) {
        hear(skipped === 0 ? piece : piece.subarray(skipped), position + skipped, again)
        again = false
      }
      position += piece.length
    })
  }
}
