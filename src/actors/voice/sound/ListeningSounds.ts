/** The sounds that an agent makes while the caller speaks for long, and when the next one is due. */

/** The agent makes one after this much speech of the caller without one. Milliseconds. */
const everyMs = 5_000

export class ListeningSounds {
  /** Empty until they are loaded from the cache. */
  sounds: ReadonlyArray<Uint8Array> = []
  /** How much the caller had spoken at the last one, or at the end of the last turn. */
  private talkAtLastMs = 0
  private made = 0

  /** The one to play now; undefined: it is too early. `talkMs`: how much the caller has spoken. */
  next(talkMs: number): Uint8Array | undefined {
    if (this.sounds.length === 0 || talkMs - this.talkAtLastMs < everyMs) return undefined
    this.talkAtLastMs = talkMs
    return this.sounds[this.made++ % this.sounds.length]
  }

  turnEnded(talkMs: number): void {
    this.talkAtLastMs = talkMs
  }
}
