/**
 * The outgoing audio of one call: clauses in, 20 ms frames out, and how much of it the caller has heard. What counts is what was
 * played, not what was generated. The provider echoes a mark when a clause has been played; between marks the send clock gives an estimate.
 *
 * A telephony provider can only be told to `clear` its buffer, so what it may not have played yet is kept here: after a `pause` the
 * speech goes on with the word that the caller did not hear to its end.
 */
import { AudioQueue } from "../frames/AudioQueue.ts"
import { BYTES_PER_MS, FRAME_BYTES, FRAME_MS, SILENCE } from "../frames/Frame.ts"
import { type Heard, wordsWithin } from "./Heard.ts"
import { quietestFrame } from "./Quiet.ts"

/** How long a character takes to say: the guess for clauses whose audio is still being made. */
const CHARACTER_MS = 70
/** Audio that was played longer ago is not kept even if the provider echoes no marks; more than the longest word lasts. */
const KEPT_BYTES = 3_000 * BYTES_PER_MS
/** The end of a word is only an estimate, so the search for the quiet before the next word starts this much earlier. */
const ESTIMATE_ERROR_BYTES = 300 * BYTES_PER_MS

interface Clause {
  readonly index: number
  readonly text: string
  /** Of its audio, counted in bytes since the queue was last empty and heard. `end` grows until `closed`. */
  readonly start: number
  end: number
  closed: boolean
  marked: boolean
  /** All of it was heard: its mark was echoed, or the send clock said so at a pause. */
  heard: boolean
  /** So much of `text` was heard before the last pause. */
  heardLength: number
}

export class Playout {
  private readonly leadBytes: number
  /** The bytes from `kept` to `written`. */
  private readonly audio = new AudioQueue()
  private clauses: Array<Clause> = []
  private open: Clause | undefined
  /** Position in `clauses` of the first one whose mark was not yet taken. */
  private unmarked = 0
  /** Counts the clears and pauses: marks carry it, so that what was discarded is never taken for heard. */
  private generation = 0
  private nextIndex = 0
  private isPaused = false
  /** Positions in the audio, in bytes: of the oldest that can still be spoken again, of the next to be sent, of the end. */
  private kept = 0
  private sent = 0
  private written = 0
  /** Where the play-out went on after the last pause: what comes before was heard. */
  private resumedAt = 0
  /** When the last frame was taken, as far as the owner said so, and when the provider will have played it. */
  private lastSentMs = Number.NaN
  private playsUntilMs = 0

  /** @param options.leadMs how much of what was sent has not been heard yet: the provider's buffer and the way there. */
  constructor(options: { readonly leadMs?: number } = {}) {
    this.leadBytes = (options.leadMs ?? 100) * BYTES_PER_MS
  }

  /** True from `pause` to `resume` or `clear`. */
  get paused(): boolean {
    return this.isPaused
  }
  /** Audio that waits to be sent, also for the second time after a pause, ms. */
  get queuedMs(): number {
    return (this.written - this.sent) / BYTES_PER_MS
  }
  /** All audio has been handed out, and no clause is open. It may still be playing. */
  get drained(): boolean {
    return this.open === undefined && this.sent === this.written
  }
  /** Drained, not paused, and the caller has heard it all: the provider has echoed every mark (or it was heard before a pause). */
  get idle(): boolean {
    return this.drained && !this.isPaused && (this.clauses.length === 0 || this.clauses[this.clauses.length - 1].heard)
  }

  /** A clause starts: `append` its audio, then `end` it. What was heard is counted anew when everything before was heard. */
  begin(text: string): void {
    this.end()
    if (this.idle) this.forget()
    const { written } = this
    this.open = {
      index: this.nextIndex++,
      text: text.trim(),
      start: written,
      end: written,
      closed: false,
      marked: false,
      heard: false,
      heardLength: 0
    }
    this.clauses.push(this.open)
  }

  /** More mu-law audio (copied) of the open clause. Without one it is the rest of something cleared: dropped. */
  append(audio: Uint8Array): void {
    if (this.open === undefined) return
    this.audio.push(audio)
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
    const waiting = this.written - this.sent
    if (this.isPaused || waiting === 0 || (waiting < FRAME_BYTES && this.open !== undefined)) return false
    const taken = this.audio.copy(out, this.sent - this.kept)
    if (taken < FRAME_BYTES) out.fill(SILENCE, taken, FRAME_BYTES)
    this.sent += taken
    this.lastSentMs = nowMs
    if (!Number.isNaN(nowMs)) this.playsUntilMs = Math.max(this.playsUntilMs, nowMs) + FRAME_MS
    this.release(this.played(nowMs) - KEPT_BYTES)
    return true
  }

  /** The mark to send now (`g<generation>:<clause>`), if a clause ended in what was sent. Ask until there is none. */
  takeMark(): string | undefined {
    const clause = this.clauses[this.unmarked]
    if (clause === undefined || !clause.closed || clause.end > this.sent) return undefined
    this.unmarked++
    clause.marked = true
    return `g${this.generation}:${clause.index}`
  }

  /** The provider echoed a mark: its clause and those before were heard. False for one that was cleared, or is not ours. */
  markEchoed(name: string): boolean {
    const match = /^g(\d+):(\d+)$/.exec(name)
    if (match === null || Number(match[1]) !== this.generation) return false
    const index = Number(match[2])
    const clause = this.clauses.find((candidate) => candidate.index === index)
    if (clause === undefined || !clause.marked) return false
    for (const earlier of this.clauses) if (earlier.index <= index) earlier.heard = true
    this.release(clause.end)
    return true
  }

  /**
   * The provider was told to `clear`: nothing is handed out until `resume`, clauses may go on growing. Says what the caller has
   * heard, which is fixed now. Harmless when already paused.
   */
  pause(nowMs: number): Heard {
    const heard = this.heard(nowMs)
    if (this.isPaused) return heard
    const played = this.settle(nowMs)
    const clause = this.clauses[this.unmarked]
    if (clause !== undefined) {
      clause.heardLength = this.heardLength(clause, played)
      this.sent = this.restart(clause, Math.floor(played))
    }
    this.isPaused = true
    this.resumedAt = this.sent
    return heard
  }

  /** The provider was told to `clear`, and gets what it has not played once more: the next frame begins where the caller is. */
  rewind(nowMs: number): void {
    if (this.isPaused) return
    this.sent = Math.max(this.kept, Math.floor(this.settle(nowMs)))
    this.resumedAt = this.sent
  }

  /** Fixes what was heard, since the provider drops the rest and its marks. Gives the position of what was played. */
  private settle(nowMs: number): number {
    const played = this.played(nowMs)
    for (const clause of this.clauses) clause.heard = this.share(clause, played) >= 1
    const firstUnheard = this.clauses.findIndex((clause) => !clause.heard)
    this.unmarked = firstUnheard === -1 ? this.clauses.length : firstUnheard
    for (const later of this.clauses.slice(this.unmarked)) later.marked = false
    this.generation++
    this.lastSentMs = Number.NaN
    this.playsUntilMs = 0
    return played
  }

  /** Goes on with the first word that was not wholly heard before the pause. Harmless when not paused. */
  resume(): void {
    this.isPaused = false
  }

  /** Drops everything that was not sent; what was sent is the provider's to drop. Says what the caller has heard. */
  clear(nowMs: number): Heard {
    const heard = this.heard(nowMs)
    this.generation++
    this.isPaused = false
    this.open = undefined
    this.forget()
    return heard
  }

  /**
   * What the caller has heard of the clauses since the queue was last idle or cleared, in whole words: a clause whose mark was
   * echoed counts whole, of the one that is playing as much as was sent `leadMs` ago. Words spoken again after a pause count once.
   */
  heard(nowMs: number): Heard {
    const played = this.played(nowMs)
    let text = ""
    for (const clause of this.clauses) {
      const part = clause.text.slice(0, this.heardLength(clause, played))
      if (part !== "") text += text === "" ? part : ` ${part}`
      if (this.share(clause, played) < 1) return { text, complete: false }
    }
    return { text, complete: this.open === undefined }
  }

  /** How much of a clause was heard, 1 for all of it. While paused nothing more is. */
  private share(clause: Clause, played: number): number {
    if (clause.heard) return 1
    return this.isPaused ? 0 : fraction(clause, played)
  }

  /** How much of a clause's text was heard, in whole words. */
  private heardLength(clause: Clause, played: number): number {
    return Math.max(clause.heardLength, wordsWithin(clause.text, this.share(clause, played)).length)
  }

  /** Bytes that have been played, by the send clock: what the provider may still have in its buffer has not. */
  private played(nowMs: number): number {
    const since = nowMs - this.lastSentMs
    const later = since > 0 ? since * BYTES_PER_MS : 0
    const buffered = this.playsUntilMs > nowMs ? (this.playsUntilMs - nowMs) * BYTES_PER_MS : 0
    return Math.max(this.resumedAt, this.sent - Math.max(0, buffered, this.leadBytes - later))
  }

  /**
   * Where to go on in a clause of which `played` was heard in part: where the last whole word ended by its share of the characters,
   * or a little earlier where it is quiet. Never before the last such place.
   */
  private restart(clause: Clause, played: number): number {
    const earliest = Math.max(this.kept, this.resumedAt, clause.start)
    const wordEnd = Math.max(earliest, Math.min(played, positionOf(clause, clause.heardLength)))
    const from = Math.max(earliest, wordEnd - ESTIMATE_ERROR_BYTES)
    const around = new Uint8Array(Math.min(wordEnd + FRAME_BYTES, this.written) - from)
    this.audio.copy(around, from - this.kept)
    return Math.min(wordEnd, from + quietestFrame(around))
  }

  /** Audio before `position` will not be spoken again. */
  private release(position: number): void {
    const dropped = Math.floor(position) - this.kept
    if (dropped <= 0) return
    this.audio.drop(dropped)
    this.kept += dropped
  }

  private forget(): void {
    this.clauses = []
    this.unmarked = 0
    this.audio.clear()
    this.kept = 0
    this.sent = 0
    this.written = 0
    this.resumedAt = 0
    this.lastSentMs = Number.NaN
    this.playsUntilMs = 0
  }
}

/** How long a clause's audio is or will be, in bytes. */
const wholeBytes = (clause: Clause): number => {
  const known = clause.end - clause.start
  return clause.closed ? known : Math.max(known, clause.text.length * CHARACTER_MS * BYTES_PER_MS)
}

/** An open clause may still go on: its last word is never claimed. */
const fraction = (clause: Clause, played: number): number =>
  Math.min((played - clause.start) / wholeBytes(clause), clause.closed ? 1 : 0.99)

/** Where the first `length` characters of a clause have been said: before the white space that follows, rather early than late. */
const positionOf = (clause: Clause, length: number): number =>
  clause.start + (length === 0 ? 0 : Math.floor((wholeBytes(clause) * length) / clause.text.length))
