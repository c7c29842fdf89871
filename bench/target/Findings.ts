/** What callers of a target counted and timed. Findings of several processes are added up. */
import type { Utterance } from "./Utterances.ts"

/** What is counted of calls, from the first one on. */
const ofCalls = ["calls", "refused", "dropped"] as const
/** What is counted of what callers hear, once they have settled. */
const ofHearing = [
  ...(["turns", "unanswered", "overlapped", "interruptions", "notSilenced", "holes"] as const),
  ...(["framesIn", "framesOut", "marks"] as const)
] as const
export const counted = [...ofCalls, ...ofHearing] as const
export type Counted = (typeof counted)[number]

/** Lists of milliseconds: of what callers hear, and all. */
const timesOfHearing = ["answer", "silenced", "hole", "ahead"] as const
export const timed = ["webhook", "setup", ...timesOfHearing] as const
export type Timed = (typeof timed)[number]

const mostNotes = 20

/** Findings as another process sends them. */
export type FoundElsewhere = Pick<Findings, "counts" | "times" | "answersTo" | "notes" | "live">

export class Findings {
  /**
   * `calls` that had a stream. `refused`: got none. `dropped`: the target closed the stream. `unanswered`: turns after which nothing was heard in time.
   * `overlapped`: turns at whose end the other side was speaking. `notSilenced`: interruptions that did not silence it. `holes` in the middle of speech.
   */
  readonly counts = Object.fromEntries(counted.map((name) => [name, 0])) as Record<Counted, number>
  /**
   * `webhook`: until it was answered. `setup`: from the webhook (or the connection) to the first frame. `answer`: from the end of the caller's speech to
   * the first sound. `silenced`: from the first sound of an interruption to the last one of the other side. `hole`: how long each was. `ahead`: how much
   * the provider had to play, once a second.
   */
  readonly times = Object.fromEntries(timed.map((name) => [name, []])) as unknown as Record<Timed, Array<number>>
  /** Answer times by what was said. */
  readonly answersTo: Record<string, Array<number>> = {}
  readonly notes: Array<string> = []

  /** Calls that were under way at the end. */
  live = 0

  /** The callers have settled: what they heard until now does not count. How calls were set up, and what was lost, does. */
  settled(): void {
    for (const name of ofHearing) this.counts[name] = 0
    for (const name of timesOfHearing) this.times[name].length = 0
    for (const name of Object.keys(this.answersTo)) delete this.answersTo[name]
  }

  note(text: string): void {
    if (this.notes.length < mostNotes) this.notes.push(text)
  }

  answered({ name }: Pick<Utterance, "name">, ms: number): void {
    this.times.answer.push(ms)
    this.answersTo[name] ??= []
    this.answersTo[name].push(ms)
  }

  /** Adds what another process found, as it was sent. */
  add({ counts, times, answersTo, notes, live }: FoundElsewhere): void {
    this.live += live
    for (const name of counted) this.counts[name] += counts[name]
    // One by one: a long list does not fit into the arguments of one call.
    for (const name of timed) for (const ms of times[name]) this.times[name].push(ms)
    for (const [name, list] of Object.entries(answersTo))
      this.answersTo[name] = [...(this.answersTo[name] ?? []), ...list]
    for (const note of notes) this.note(note)
  }
}
