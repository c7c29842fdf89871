/**
 * The clauses that the agent is to say, in the order in which they were planned. One at a time becomes audio: the oldest that is not audio yet. It
 * knows which of them the caller has heard.
 */
import type { Playout } from "../../../audio/playout/Playout.ts"
import type { SoundCommand } from "./CallSound.ts"

type Command<Tag extends SoundCommand["_tag"]> = Extract<SoundCommand, { readonly _tag: Tag }>

/** A clause that is to be heard. */
interface Planned extends Pick<Command<"Plan">, "clause" | "text"> {
  readonly line?: "interruptible" | "uninterruptible" | undefined
  /** Bytes of its sound that have come. */
  bytes: number
  /** All of it has come. */
  whole: boolean
}

/** A clause that is to be heard, as another mind learns of it. */
export type PlannedClause = Readonly<Planned>

const textOf = ({ text }: PlannedClause): string => text

export class PlannedClauses {
  private readonly playout: Playout
  private clauses: Array<Planned> = []
  /** How many of them are not audio yet. */
  private pending = 0
  /** The number of the clause that is becoming audio; -1: none. */
  private open = -1
  /** How many of them have begun to become audio, and how many were heard in full before the play-out last ran empty. */
  private begun = 0
  private heardWhole = 0

  constructor(playout: Playout) {
    this.playout = playout
  }

  get count(): number {
    return this.clauses.length
  }

  /** Whether all of them are audio. */
  get audioComplete(): boolean {
    return this.pending === 0
  }

  /** The texts of all of them. */
  get text(): string {
    return this.clauses.map(textOf).join(" ")
  }

  /** Adds one behind the others. */
  add({ clause, text, line }: Pick<Planned, "clause" | "text" | "line">): void {
    this.clauses.push({ clause, text, line, bytes: 0, whole: false })
    this.pending++
    this.openNext()
  }

  /** Whether it is the one that is becoming audio. */
  isOpen(clause: number): boolean {
    return clause === this.open
  }

  /** More audio of the one that is becoming audio. */
  append(audio: Uint8Array): void {
    this.clauses[this.begun - 1].bytes += audio.length
    this.playout.append(audio)
  }

  /** The one that is becoming audio has all of it. */
  end(): void {
    this.playout.end()
    this.clauses[this.begun - 1].whole = true
    this.close()
  }

  /** Drops the one that is becoming audio and has none yet. */
  drop(): void {
    this.playout.end()
    this.begun--
    this.clauses.splice(this.begun, 1)
    this.close()
  }

  /** Keeps those that have audio; the last of them waits for the rest of its own. Returns all as they were. */
  settle(): ReadonlyArray<PlannedClause> {
    const all = this.clauses.map((planned) => ({ ...planned }))
    while (this.open >= 0 && this.clauses[this.begun - 1].bytes === 0) this.drop()
    if (this.open >= 0) {
      this.clauses.length = this.begun
      this.pending = 1
    }
    return all
  }

  /** What of them the caller has heard, `now` on the clock of the play-out. */
  heard(now: number): string {
    const { playout } = this
    const whole = this.clauses.slice(0, playout.idle ? this.begun : this.heardWhole).map(textOf)
    const last = playout.idle ? "" : playout.heard(now).text
    return [...whole, last].filter((part) => part !== "").join(" ")
  }

  clear(): void {
    this.clauses = []
    this.pending = 0
    this.open = -1
    this.begun = 0
    this.heardWhole = 0
  }

  private close(): void {
    this.pending--
    this.open = -1
    this.openNext()
  }

  /** The next clause begins to become audio, when the one before it has all its audio. */
  private openNext(): void {
    if (this.open >= 0 || this.pending === 0) return
    const { clause, text } = this.clauses[this.begun]
    // An idle play-out counts from zero again: the caller has heard everything it played.
    if (this.playout.idle) this.heardWhole = this.begun
    this.begun++
    this.open = clause
    this.playout.begin(text)
  }
}
