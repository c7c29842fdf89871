/**
 * One caller of a crowd on its media stream: speaks marked speech, hears its answers out, interrupts now and then. Everything happens in
 * `tick`, 50 times a second, and when a message comes.
 */
import type { Clips } from "./Clips.ts"
import { Playout } from "./Playout.ts"
import type { Stamps } from "./Stamps.ts"
import type { Tally } from "./Tally.ts"
import { frameBytes, stamp } from "./Watermark.ts"
import { clauses } from "./Words.ts"

/** What all members of a crowd share. */
export interface Company {
  readonly clips: Clips
  readonly tally: Tally
  readonly stamps: Stamps
  /** Every so many turns a caller interrupts; 0: never. */
  readonly interruptEvery: number
  /** False where the sound is changed on its way to the caller, so that its marks are gone. */
  readonly check: boolean
  /** False: only silence is sent, nobody speaks. */
  readonly talks: boolean
  /** A caller gives up an answer that has not begun after so long. Milliseconds. */
  readonly patienceMs: number
}

/** A pause before the next question, and how long an answer is heard before it is interrupted. Milliseconds. */
const pauseMs = 300
const listenMs = 700
export const answerWithinMs = 8_000
/** From the first frame sent until the disclosure and the welcome have been heard. */
export const openingWithinMs = 15_000
/** The disclosure and the welcome. */
const openingClauses = 2

const scratch = Buffer.alloc(frameBytes)
/** The base64 of a frame. */
const payloadLength = 216

/** `silent`: what was to be heard was heard or given up, and this caller asks nothing. */
type Phase = "opening" | "silent" | "pausing" | "speaking" | "waiting" | "listening"

export class Member {
  readonly caller: number
  /** Sends a message; set before the first tick. */
  send: (text: string) => void = () => undefined
  /** When the first frame came. */
  firstFrameAt = 0
  readonly #company: Company
  readonly #streamSid: string
  readonly #mediaHead: Buffer
  readonly #playout: Playout
  readonly #clip: Uint8Array
  /** `turn`: it ends a clause of the answer to this turn, or of the opening, which is turn 0. Undefined: a line that fills a wait. */
  readonly #marks: Array<{ readonly name: string; readonly dueMs: number; readonly turn: number | undefined }> = []
  #phase: Phase = "opening"
  /** When the phase began; undefined until the first tick. */
  #since: number | undefined
  #turn = 0
  #frame = 0
  #sent = 0
  #sequence = 1
  #heardClauses = 0
  /** The last frame of a clause was heard, whose mark has not come. */
  #heardWhole = false
  /** Since a clear no clause was heard to its last frame and marked: one that goes on in the middle of a frame cannot be told. */
  #torn = false
  /** The turn whose answer the last frame was of that could be read; undefined: it was of a line. */
  #hearsAnswerTo: number | undefined
  /** The last turn in which this caller heard an earlier answer: it counts once. */
  #staleTurn = -1
  /** The clauses of this answer that have begun, by their numbers. */
  readonly #begun = new Set<number>()
  /** Turns whose answers this caller interrupted. */
  readonly #interrupted = new Set<number>()
  #interruptsAt = 0
  #bargedInAt = 0

  constructor(caller: number, streamSid: string, company: Company) {
    this.caller = caller
    this.#company = company
    this.#streamSid = streamSid
    this.#mediaHead = Buffer.from(`{"event":"media","streamSid":"${streamSid}","media":{"payload":"`)
    this.#playout = new Playout(caller, company.tally)
    this.#clip = company.clips.callers[caller % company.clips.callers.length]
  }

  /** How many questions were asked. */
  get turns(): number {
    return this.#turn
  }
  get interrupted(): ReadonlySet<number> {
    return this.#interrupted
  }

  tick(now: number): void {
    if (this.#marks.length > 0) this.#echo(now)
    this.#act(now)
    this.#speak()
  }

  /** A text message of the service. */
  receive(bytes: Buffer, from: number, to: number): void {
    const head = this.#mediaHead
    const start = from + head.length
    const isMedia = to - start === payloadLength + 3 && bytes.compare(head, 0, head.length, from, start) === 0
    if (isMedia) {
      scratch.write(bytes.toString("latin1", start, start + payloadLength), "base64")
      this.#hear(performance.now())
    } else this.#obey(bytes.toString("latin1", from, to))
  }

  #obey(text: string): void {
    const message = JSON.parse(text) as {
      readonly event: string
      readonly streamSid?: string
      readonly media?: { readonly payload: string }
      readonly mark?: { readonly name: string }
    }
    const now = performance.now()
    if (message.streamSid !== this.#streamSid) {
      this.#company.tally.errors.crossed++
      this.#company.tally.note(`caller ${this.caller} got a message of another stream`)
    } else if (message.event === "mark" && message.mark !== undefined) this.#marked(message.mark.name)
    else if (message.event === "clear") this.#cleared(now)
    else if (message.event === "media" && message.media !== undefined) {
      scratch.write(message.media.payload, "base64")
      this.#hear(now)
    }
  }

  /** A mark says that a clause was sent; this caller knows whether it was. */
  #marked(name: string): void {
    const { check, tally } = this.#company
    if (this.#heardWhole) this.#torn = false
    else if (check && !this.#torn) {
      tally.errors.lost++
      tally.note(`caller ${this.caller}, turn ${this.#turn}: mark ${name} came without a clause before it`)
    }
    this.#heardWhole = false
    const turn = !check || this.#phase === "opening" ? this.#turn : this.#hearsAnswerTo
    this.#marks.push({ name, dueMs: this.#playout.until, turn })
  }

  #hear(now: number): void {
    const { tally, stamps, check } = this.#company
    tally.framesOut++
    if (this.firstFrameAt === 0) this.firstFrameAt = now
    const mark = this.#playout.take(scratch, now, check)
    const turn = mark === undefined ? this.#hearsAnswerTo : mark.caller === 0 ? undefined : mark.utterance >> 2
    if (turn !== undefined && turn !== this.#turn) this.#hearsOther(turn, mark?.index === 0)
    if (mark === undefined) return
    this.#hearsAnswerTo = turn
    this.#heardWhole = mark.index === mark.total - 1
    if (turn !== this.#turn || mark.index !== 0) return
    this.#beginsClause(mark.utterance & 3)
    if ((mark.utterance & 3) !== 1) return
    tally.turns++
    const added = stamps.added(this.caller, now)
    if (added !== undefined) tally.times.added.push(added)
    this.#answered(now)
  }

  /** While the caller speaks the agent may go on; once the question is asked it may not. */
  #hearsOther(turn: number, begins: boolean): void {
    const { check, tally } = this.#company
    if (!check || this.#staleTurn === this.#turn || !(begins || this.#phase === "waiting")) return
    this.#staleTurn = this.#turn
    tally.errors.stale++
    tally.note(`caller ${this.caller} in turn ${this.#turn} heard an answer to turn ${turn}`)
  }

  #beginsClause(clause: number): void {
    const { tally } = this.#company
    if (this.#begun.has(clause)) {
      tally.repeatedClauses++
      tally.note(`caller ${this.caller} heard clause ${clause} of the answer to turn ${this.#turn} again`)
    }
    this.#begun.add(clause)
  }

  #answered(now: number): void {
    const { interruptEvery, check, tally } = this.#company
    if (this.#phase !== "waiting") return
    tally.times.waits.push(now - (this.#since ?? now))
    // Where marks in the sound are gone, what the service says of its clauses has to do.
    if (!check) tally.turns++
    this.#enter("listening", now)
    const interrupts = interruptEvery > 0 && (this.#turn + this.caller) % interruptEvery === 0
    this.#interruptsAt = interrupts ? now + listenMs : Number.POSITIVE_INFINITY
  }

  #cleared(now: number): void {
    this.#playout.cleared(now)
    for (const { name } of this.#marks.splice(0)) this.#sendMark(name)
    this.#heardClauses = 0
    this.#heardWhole = false
    this.#begun.clear()
    this.#torn = true
    if (this.#bargedInAt === 0) return
    this.#company.tally.times.bargeIn.push(now - this.#bargedInAt)
    this.#bargedInAt = 0
  }

  /** Marks come back when everything before them was heard. */
  #echo(now: number): void {
    while (this.#marks.length > 0 && this.#marks[0].dueMs <= now) {
      const { name, turn } = this.#marks.shift()!
      this.#sendMark(name)
      // A clause that ends after the caller has interrupted it belongs to the turn before.
      if (turn !== this.#turn) continue
      this.#heardClauses++
      if (!this.#company.check) this.#answered(now)
    }
  }

  #enter(phase: Phase, now: number): void {
    this.#phase = phase
    this.#since = now
  }

  #act(now: number): void {
    this.#since ??= now
    const waited = now - this.#since
    switch (this.#phase) {
      case "opening":
        if (this.#heardClauses >= openingClauses) this.#begin(now)
        else if (waited > openingWithinMs) {
          this.#fail("did not hear the disclosure and the welcome")
          this.#begin(now)
        }
        return
      case "silent":
        return
      case "pausing":
        if (waited >= pauseMs) this.#ask(now)
        return
      case "speaking":
        if (this.#frame * frameBytes >= this.#clip.length) this.#enter("waiting", now)
        return
      case "waiting":
        if (waited > this.#company.patienceMs) this.#giveUp(now, "got no answer")
        return
      case "listening":
        this.#listen(now, waited)
    }
  }

  #listen(now: number, waited: number): void {
    if (this.#heardClauses >= clauses) this.#enter("pausing", now)
    else if (now >= this.#interruptsAt) {
      this.#company.tally.interruptions++
      this.#interrupted.add(this.#turn)
      this.#bargedInAt = now
      this.#ask(now)
    } else if (waited > this.#company.patienceMs) this.#giveUp(now, "heard only a part of the answer")
  }

  /** The opening is over. */
  #begin(now: number): void {
    this.#enter(this.#company.talks ? "pausing" : "silent", now)
  }

  #giveUp(now: number, what: string): void {
    this.#fail(what)
    this.#enter("pausing", now)
  }

  #fail(what: string): void {
    this.#company.tally.errors.unanswered++
    this.#company.tally.note(`caller ${this.caller}, turn ${this.#turn}: ${what}`)
  }

  #ask(now: number): void {
    this.#turn++
    this.#frame = 0
    this.#heardClauses = 0
    this.#begun.clear()
    this.#enter("speaking", now)
  }

  #speak(): void {
    const { clips, tally } = this.#company
    tally.framesIn++
    const at = this.#frame * frameBytes
    if (this.#phase === "speaking" && at < this.#clip.length) {
      const total = this.#clip.length / frameBytes
      scratch.set(this.#clip.subarray(at, at + frameBytes))
      stamp(scratch, 0, { caller: this.caller, utterance: (this.#turn << 2) & 0xffff, index: this.#frame++, total })
      this.#media(scratch.toString("base64"))
    } else this.#media(clips.noise[(this.#sent + this.caller) % clips.noise.length])
  }

  #media(payload: string): void {
    const timestamp = this.#sent++ * 20
    this.send(
      `{"event":"media","sequenceNumber":"${++this.#sequence}","media":{"track":"inbound","chunk":"${this.#sent}","timestamp":"${timestamp}","payload":"${payload}"},"streamSid":"${this.#streamSid}"}`
    )
  }

  #sendMark(name: string): void {
    this.send(
      `{"event":"mark","sequenceNumber":"${++this.#sequence}","streamSid":"${this.#streamSid}","mark":{"name":${JSON.stringify(name)}}}`
    )
  }
}
