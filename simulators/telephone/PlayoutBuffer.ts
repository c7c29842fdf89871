/**
 * The provider's play-out buffer of one stream. Frames of the engine queue here, and the caller hears 20 ms of them at every tick. A mark is echoed
 * when everything before it has been heard. A clear empties the queue and echoes its marks.
 */
import { frameBytes, frameMs, silence } from "./Mulaw.ts"

type Item = { readonly bytes: Uint8Array; read: number } | { readonly mark: string }

/** More than this much unheard audio is thrown away (error 31931). */
const capacity = 10 * 60 * 8_000
/** Silence shorter than this between two frames is a gap in an utterance, not a pause between two utterances. */
const holeMs = 200

export interface PlayoutCounts {
  /** Media messages of the engine. */
  sent: number
  /** Those whose payload was not 160 bytes. */
  wrongSize: number
  /** How often the buffer ran dry for less than 200 ms: gaps within an utterance. */
  late: number
  /** 20 ms frames of silence heard in those gaps. */
  gaps: number
}

export class PlayoutBuffer {
  readonly counts: PlayoutCounts = { sent: 0, wrongSize: 0, late: 0, gaps: 0 }
  readonly #echo: (mark: string) => void
  #items: Array<Item> = []
  #bytes = 0
  /** Marks whose audio is playing now: it is heard when this tick is over. */
  #sounding: Array<string> = []
  #playing = false
  #emptyTicks = Number.POSITIVE_INFINITY

  constructor(echo: (mark: string) => void) {
    this.#echo = echo
  }

  /** Milliseconds of audio not yet heard. */
  get bufferedMs(): number {
    return this.#bytes / 8
  }

  /** False when the buffer is full and the audio was dropped. */
  media(bytes: Uint8Array): boolean {
    this.counts.sent++
    if (bytes.length !== frameBytes) this.counts.wrongSize++
    if (this.#bytes + bytes.length > capacity) return false
    if (bytes.length > 0) this.#items.push({ bytes, read: 0 })
    this.#bytes += bytes.length
    return true
  }

  mark(name: string): void {
    if (this.#items.length === 0 && !this.#playing) this.#echo(name)
    else this.#items.push({ mark: name })
  }

  /** Returns the milliseconds of audio thrown away. */
  clear(): number {
    const dropped = this.bufferedMs
    const marks = [...this.#sounding, ...this.#items.flatMap((item) => ("mark" in item ? [item.mark] : []))]
    this.#items = []
    this.#bytes = 0
    this.#sounding = []
    this.#emptyTicks = Number.POSITIVE_INFINITY
    for (const name of marks) this.#echo(name)
    return dropped
  }

  /** Writes what is heard in this tick into `out` (160 bytes at `at`); true when any of it came from the engine. */
  tick(out: Uint8Array, at: number): boolean {
    const heard = this.#sounding
    this.#sounding = []
    this.#playing = false
    for (const name of heard) this.#echo(name)
    let filled = 0
    let done = 0
    for (; done < this.#items.length; done++) {
      const item = this.#items[done]
      if ("mark" in item) {
        if (filled === 0) this.#echo(item.mark)
        else this.#sounding.push(item.mark)
        continue
      }
      if (filled === frameBytes) break
      const piece = item.bytes.subarray(item.read, item.read + frameBytes - filled)
      out.set(piece, at + filled)
      filled += piece.length
      item.read += piece.length
      if (item.read < item.bytes.length) break
    }
    this.#items.splice(0, done)
    this.#bytes -= filled
    this.#playing = filled > 0
    out.fill(silence, at + filled, at + frameBytes)
    this.#countHoles(filled > 0)
    return filled > 0
  }

  #countHoles(played: boolean): void {
    if (!played) {
      this.#emptyTicks++
      return
    }
    if (this.#emptyTicks > 0 && this.#emptyTicks * frameMs < holeMs) {
      this.counts.late++
      this.counts.gaps += this.#emptyTicks
    }
    this.#emptyTicks = 0
  }
}
