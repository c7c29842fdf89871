/**
 * The mark with which the model begins an answer: whether the caller has finished. It is for this service alone. `MarkReader` takes it out
 * of the stream, so that nobody else sees it: not the caller, the content filter, the transcript or the model's own history.
 */
import type { ChatMessage } from "../../ai/providers/Reasoning.ts"

/** - `finished`: answer now; `unfinished`: more words will come; `time`: the caller asked to wait. */
export type TurnMark = "finished" | "unfinished" | "time"

/**
 * One token in every tokenizer that knows ASCII, and nothing that a sentence begins with. A request for time has a mark of its own because it is a
 * complete sentence: without one, models call it finished.
 */
const marks: ReadonlyMap<string, TurnMark> = new Map([
  ["^", "finished"],
  ["~", "unfinished"],
  ["=", "time"]
])

/** Asks for the mark. It comes last, so that what a provider has cached of the conversation stays usable. */
export const askForMark: ChatMessage = {
  role: "system",
  content: [
    "This is a live call, and the caller's last words may be only half of what they want to say.",
    "Begin your reply with exactly one sign, then a space, then the reply itself:",
    "^ when the caller has finished, also with a single word such as yes or a name;",
    "~ when the caller stopped in the middle of a thought and will go on;",
    "= when the caller asks you to wait.",
    "Write the sign once, never alone, and do not mention it. Call tools as usual, without a sign."
  ].join(" ")
}

/** What a model may put around the mark. */
const notOpening = /[^\s"'`*_([]/
const closing = /^["'`*_)\]]/
/** A sentence has ended, or none has begun: a mark that stands alone here is not speech. */
const betweenSentences = /(?:^|[.!?।॥…\n]["'”’)\]]*)\s*$/u
/** So much of what was passed on tells whether a sentence has ended, in characters. */
const lookBack = 8
const space = /\s/
const anyMark = /[\^~=]/

/** Reads one answer from pieces of any size. The result does not depend on how it was cut. */
export class MarkReader {
  private known: TurnMark | "none" | undefined
  /** What cannot be passed on before the next characters are known. */
  private held = ""
  /** The end of what was passed on. */
  private passed = ""
  /** The mark was put in quotes or brackets, which may still have to be closed. */
  private wrapped = false

  /** `none`: the answer began without one. `undefined`: not known yet. */
  get mark(): TurnMark | "none" | undefined {
    return this.known
  }

  /** Takes the next piece; gives what of the answer may be passed on now. */
  push(piece: string): string {
    this.held += piece
    return this.read(false)
  }

  /** The answer is over: gives the rest of it. */
  end(): string {
    return this.read(true)
  }

  private read(atEnd: boolean): string {
    if (this.known === undefined && !this.readMark(atEnd)) return ""
    if (this.wrapped) this.unwrap()
    let out = ""
    while (this.held !== "") {
      const at = this.held.search(anyMark)
      out += this.pass(at < 0 ? this.held.length : at)
      if (at < 0) break
      if (this.held.length === 1 && !atEnd) break
      if (this.standsAlone()) this.held = this.held.slice(1)
      else out += this.pass(1)
    }
    return out
  }

  /** Reads the beginning, up to and with the mark. False: more of it must be known. */
  private readMark(atEnd: boolean): boolean {
    const at = this.held.search(notOpening)
    // An answer of spaces is no answer, so it says nothing about marks.
    if (at < 0 && (!atEnd || this.held.trim() === "")) return false
    const mark = at < 0 ? undefined : marks.get(this.held[at])
    const after = this.held[at + 1]
    if (mark !== undefined && after === undefined && !atEnd) return false
    // "~20 minutes" is an answer.
    this.known = mark === undefined || (after !== undefined && /\d/.test(after)) ? "none" : mark
    if (this.known === "none") return true
    this.wrapped = this.held.slice(0, at).trim() !== ""
    this.held = this.held.slice(at + 1)
    return true
  }

  private unwrap(): void {
    while (closing.test(this.held)) this.held = this.held.slice(1)
    if (this.held !== "") this.wrapped = false
  }

  /** Whether the mark that comes next is no part of the speech: it is alone between two sentences, or at the end. */
  private standsAlone(): boolean {
    const after = this.held[1]
    if (after === undefined) return betweenSentences.test(this.passed) || space.test(this.passed.at(-1) ?? " ")
    return space.test(after) && betweenSentences.test(this.passed)
  }

  private pass(count: number): string {
    const text = this.held.slice(0, count)
    this.held = this.held.slice(count)
    this.passed = (this.passed + text).slice(-lookBack)
    return text
  }
}
