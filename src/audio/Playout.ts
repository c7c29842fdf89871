/**
 * The outgoing audio of one call: clauses in, 20 ms frames out, and how much of it the caller has heard. What counts is what was
 * played, not what was generated: the provider echoes a mark when a clause has been played; between marks the send clock tells.
 */
import { ByteRing } from "./ByteRing.ts"
import { BYTES_PER_MS, FRAME_BYTES, SILENCE } from "./Frame.ts"
import { type Heard, wordsWithin } from "./Heard.ts"

export type { Heard } from "./Heard.ts"

/** How long a character takes to say: the guess for clauses whose audio is still being made. */
const CHARACTER_MS = 70

interface Clause {
  readonly index: number
  readonly text: string
  /** Of its audio, counted in bytes since the queue was last empty and heard. `end` grows until `closed`. */
  readonly start: number
  end: number
  closed: boolean
  marked: boolean
  echoed: boolean
}

export class Playout {
  private readonly leadBytes: number
  private readonly ring = new ByteRing()
  private clauses: Array<Clause> = []
  private open: Clause | undefined
  /** Position in `clauses` of the first one whose mark was not yet taken. */
  private unmarked = 0
  private currentGeneration = 0
  private nextIndex = 0
  private written = 0
  private sent = 0
  /** When the last frame was taken, as far as the owner said so. */
  private lastSentMs = Number.NaN

  /** @param options.leadMs how much of what was sent has not been heard yet: the provider's buffer and the way there. */
  constructor(options: { readonly leadMs?: number } = {}) {
    this.leadBytes = (options.leadMs ?? 100) * BYTES_PER_MS
  }

  /** Counts the clears: marks carry it, so that what was discarded is never taken for heard. */
  get generation(): number {
    return this.currentGeneration
  }
  /** Audio that waits to be sent, ms. */
  get queuedMs(): number {
    return this.ring.length / BYTES_PER_MS
  }
  /** Audio sent since the queue was last idle or cleared, ms. */
  get sentMs(): number {
    return this.sent / BYTES_PER_MS
  }
  /** All audio has been handed out, and no clause is open. It may still be playing. */
  get drained(): boolean {
    return this.open === undefined && this.ring.length === 0
  }
  /** Drained, and the provider has echoed every mark: the caller has heard it all. */
  get idle(): boolean {
    return this.drained && (this.clauses.length === 0 || this.clauses[this.clauses.length - 1].echoed)
  }

  /** A clause starts: `append` its audio, then `end` it. What was heard is counted anew when everything before was heard. */
  begin(text: string): void {
    this.end()
    if (this.idle) this.forget()
    const { written } = this
    const clause = { text: text.trim(), start: written, end: written, closed: false, marked: false, echoed: false }
    this.open = { index: this.nextIndex++, ...clause }
    this.clauses.push(this.open)
  }

  /** More mu-law audio (copied) of the open clause. Without one it is the rest of something cleared: dropped. */
  append(audio: Uint8Array): void {
    if (this.open === undefined) return
    this.ring.push(audio)
    this.written += audio.length
    this.open.end = this.written
  }

  /** The open clause has all its audio. One without audio was never said and is forgotten. */
  end(): void {
    if (this.open === undefined) return
    this.open.closed = true
    if (this.open.end === this.open.start) this.clauses.pop()
    this.open = undefined
  }

  /**
   * Copies the next 160 bytes to `out`; false when there is nothing to send now. Clauses follow each other without a gap; a last
   * part of a frame waits while its clause is open and is filled up with silence when nothing follows.
   * @param nowMs makes the estimate of what was heard go on when there is nothing more to send.
   */
  next(out: Uint8Array, nowMs = Number.NaN): boolean {
    if (this.ring.length === 0 || (this.ring.length < FRAME_BYTES && this.open !== undefined)) return false
    const taken = this.ring.take(out)
    if (taken < FRAME_BYTES) out.fill(SILENCE, taken, FRAME_BYTES)
    this.sent += taken
    this.lastSentMs = nowMs
    return true
  }

  /** The mark to send now (`g<generation>:<clause>`), if a clause ended in what was sent. Ask until there is none. */
  takeMark(): string | undefined {
    const clause = this.clauses[this.unmarked]
    if (clause === undefined || !clause.closed || clause.end > this.sent) return undefined
    this.unmarked++
    clause.marked = true
    return `g${this.currentGeneration}:${clause.index}`
  }

  /** The provider echoed a mark: its clause and those before were heard. False for one that was cleared, or is not ours. */
  markEchoed(name: string, _nowMs: number): boolean {
    const match = /^g(\d+):(\d+)$/.exec(name)
    if (match === null || Number(match[1]) !== this.currentGeneration) return false
    const index = Number(match[2])
    const clause = this.clauses.find((candidate) => candidate.index === index)
    if (clause === undefined || !clause.marked) return false
    for (const earlier of this.clauses) if (earlier.index <= index) earlier.echoed = true
    return true
  }

  /** Drops everything that was not sent; what was sent is the provider's to drop. Says what the caller has heard. */
  clear(nowMs: number): Heard {
    const heard = this.heard(nowMs)
    this.currentGeneration++
    this.open = undefined
    this.ring.clear()
    this.forget()
    return heard
  }

  /**
   * What the caller has heard of the clauses since the queue was last idle or cleared, in whole words: a clause whose mark was
   * echoed counts whole, of the one that is playing as much as was sent `leadMs` ago.
   */
  heard(nowMs: number): Heard {
    const played = this.played(nowMs)
    let text = ""
    for (const clause of this.clauses) {
      const part = clause.echoed ? clause.text : wordsWithin(clause.text, fraction(clause, played))
      if (part !== "") text += text === "" ? part : ` ${part}`
      if (part !== clause.text) return { text, complete: false }
    }
    return { text, complete: this.open === undefined }
  }

  /** Bytes that have been played, by the send clock. */
  private played(nowMs: number): number {
    const since = nowMs - this.lastSentMs
    const later = since > 0 ? since * BYTES_PER_MS : 0
    return Math.min(this.sent, this.sent - this.leadBytes + later)
  }

  private forget(): void {
    this.clauses = []
    this.unmarked = 0
    this.written = 0
    this.sent = 0
    this.lastSentMs = Number.NaN
  }
}

const fraction = (clause: Clause, played: number): number => {
  const known = clause.end - clause.start
  const guess = clause.text.length * CHARACTER_MS * BYTES_PER_MS
  const total = clause.closed ? known : Math.max(known, guess)
  // An open clause may still go on: its last word is never claimed.
  return Math.min((played - clause.start) / total, clause.closed ? 1 : 0.99)
}
