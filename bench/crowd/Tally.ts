/** Counts of the callers and their providers: frames, content errors, and times. Differences of two counts give a window. */
import type { Limit } from "../support/Report.ts"

export interface ContentErrors {
  /** Sound or words that belong to another call. */
  crossed: number
  /** Frames of speech that never came, on either side; a clause of which none came, but its mark, is one. */
  lost: number
  repeated: number
  /** Frames without a readable mark where there should be one. */
  unreadable: number
  /** Sound of an answer to an earlier question. */
  stale: number
  /** Questions whose answer did not come in time, or whose words were not understood; calls whose disclosure and welcome did not. */
  unanswered: number
}

/** Milliseconds of everything that was timed, one list for each kind. */
export interface Times {
  /** Outgoing frames, after the earliest of their clause. */
  readonly lateness: Array<number>
  /** What Parley added to a turn. */
  readonly added: Array<number>
  /** From the first sound of an interrupting caller to the `clear`. */
  readonly bargeIn: Array<number>
  /** From the end of a question until its answer began. */
  readonly waits: Array<number>
  /** From the voice webhook to the first frame of the disclosure. */
  readonly setup: Array<number>
  /** Of that: until the webhook was answered. */
  readonly webhook: Array<number>
}

const noErrors = (): ContentErrors => ({ crossed: 0, lost: 0, repeated: 0, unreadable: 0, stale: 0, unanswered: 0 })
const errorKinds = [
  "crossed",
  "lost",
  "repeated",
  "unreadable",
  "stale",
  "unanswered"
] as const satisfies ReadonlyArray<keyof ContentErrors>

const mostNotes = 20

export class Tally {
  framesIn = 0
  framesOut = 0
  turns = 0
  interruptions = 0
  /** Times a caller's play-out ran dry in the middle of a clause. */
  underruns = 0
  /** Frames of an answer that went on after an interruption that was none: heard, but their marks cannot be read. */
  resumed = 0
  /** Calls that could not be set up, or were closed by the other side. */
  failed = 0
  /** Webhooks that got no good answer, and were repeated. */
  repeatedWebhooks = 0
  /** Webhooks answered with a refusal: busy, or a sentence. */
  refused = 0
  errors: ContentErrors = noErrors()
  /** Clauses of an answer that a caller heard from their beginning a second time. */
  repeatedClauses = 0
  /** Requests to the tool, by what they were to do; and the keys that they had. */
  readonly tools = new Map<string, Array<string>>()
  /** When the service opened streams of speech-to-text, and when they ended. */
  readonly streams: { readonly opened: Array<number>; readonly closed: Array<number> } = { opened: [], closed: [] }
  times: Times = { lateness: [], added: [], bargeIn: [], waits: [], setup: [], webhook: [] }
  /** The first few things that went wrong, for a person to read. */
  notes: Array<string> = []

  note(text: string): void {
    if (this.notes.length < mostNotes) this.notes.push(text)
  }

  get contentErrors(): number {
    return Object.values(this.errors).reduce((sum, count) => sum + count, 0)
  }

  /** What was counted since the last time, and counting begins anew. */
  take(): Tally {
    const taken = Object.assign(new Tally(), this)
    Object.assign(this, new Tally())
    return taken
  }

  /** Adds what went wrong in an earlier window, which nobody has judged; its counts and times stay its own. */
  carry({ errors, failed, repeatedWebhooks, notes }: Tally): void {
    for (const kind of errorKinds) this.errors[kind] += errors[kind]
    this.failed += failed
    this.repeatedWebhooks += repeatedWebhooks
    this.notes = [...notes, ...this.notes].slice(0, mostNotes)
  }

  /** Nothing may be wrong with any call; `of` says which. Where a provider or the database is taken away, webhooks may be repeated. */
  limits(of = ""): ReadonlyArray<Limit> {
    const none = (what: string, value: number): Limit => ({ name: `${what}${of}`, value, unit: "", most: 0 })
    return [
      none("content errors", this.contentErrors),
      none("calls that failed", this.failed),
      none("webhooks without a good answer", this.repeatedWebhooks)
    ]
  }
}

/** How many of every so many frames have their lateness kept: a list of all of them would be the generator's own load. */
export const latenessEvery = 4
