/** One caller of a target: speaks, waits for the answer, hears it out, interrupts now and then. It judges by sound, marks and time; words mean nothing to it. */
import { frameBytes } from "../crowd/Watermark.ts"
import type { Findings } from "./Findings.ts"
import { Heard } from "./Heard.ts"
import type { Utterance } from "./Utterances.ts"

export interface VisitorOptions {
  readonly findings: Findings
  readonly utterances: ReadonlyArray<Utterance>
  /** Frames of a quiet line, in base64. */
  readonly noise: ReadonlyArray<string>
  /** Number of the caller, which decides what it says first and when it interrupts. */
  readonly caller: number
  readonly streamSid: string
  /** Sends a text message. */
  readonly send: (text: string) => void
}

/** Who says nothing for so long has finished. */
const finishedMs = 700
const pauseMs = 300
/** A target that says nothing at the beginning is spoken to after this time. */
const openingMs = 4_000
const longestOpeningMs = 20_000
const answerWithinMs = 8_000
const longestAnswerMs = 60_000
/** Every so many turns a caller interrupts, after so much of the answer. */
const interruptEvery = 6
const listenMs = 700
/** Who is silent for so long, after an interruption, was silenced. */
const silencedMs = 500
const silencedWithinMs = 3_000
const aheadEvery = 50

type Phase = "opening" | "pausing" | "speaking" | "waiting" | "listening"

interface Message {
  readonly event?: string
  readonly media?: { readonly payload?: string }
  readonly mark?: { readonly name?: string }
}

export class Visitor {
  /** When the first frame came; 0 before. */
  firstFrameAt = 0
  readonly #options: VisitorOptions
  readonly #heard = new Heard()
  readonly #marks: Array<{ readonly name: string; readonly dueAt: number }> = []
  #rest = Buffer.alloc(0)
  #phase: Phase = "opening"
  #since: number | undefined
  #turn = 0
  #frame = 0
  #sent = 0
  #sequence = 1
  #spokeUntil = 0
  #interruptedAt = 0

  constructor(options: VisitorOptions) {
    this.#options = options
  }

  get #utterance(): Utterance {
    const { utterances, caller } = this.#options
    return utterances[(caller + this.#turn) % utterances.length]
  }

  /** Every 20 ms. */
  tick(now: number): void {
    this.#heard.play(now)
    while (this.#marks.length > 0 && this.#marks[0].dueAt <= now) this.#sendMark(this.#marks.shift()!.name)
    this.#judgeInterruption(now)
    this.#act(now)
    this.#speak()
    if (this.#sent % aheadEvery === 0) this.#options.findings.times.ahead.push(this.#heard.aheadMs(now))
  }

  /** A text message of the target. */
  receive(text: string, now: number): void {
    const { findings } = this.#options
    let message: Message
    try {
      message = Object(JSON.parse(text)) as Message
    } catch {
      findings.note(`a message is no JSON: ${text.slice(0, 100)}`)
      return
    }
    if (message.event === "media" && message.media?.payload !== undefined) this.#take(message.media.payload, now)
    else if (message.event === "mark" && message.mark?.name !== undefined) {
      findings.counts.marks++
      this.#marks.push({ name: message.mark.name, dueAt: this.#heard.until })
    } else if (message.event === "clear") {
      this.#heard.clear(now)
      for (const { name } of this.#marks.splice(0)) this.#sendMark(name)
    }
  }

  /** Sound of any length, of which whole frames are played. */
  #take(payload: string, now: number): void {
    const { findings } = this.#options
    const bytes = Buffer.from(payload, "base64")
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    let at = 0
    for (; at + frameBytes <= all.length; at += frameBytes) {
      if (this.firstFrameAt === 0) this.firstFrameAt = now
      findings.counts.framesOut++
      const hole = this.#heard.take(all.subarray(at, at + frameBytes), now)
      if (hole === 0) continue
      findings.counts.holes++
      findings.times.hole.push(hole)
    }
    this.#rest = Buffer.from(all.subarray(at))
  }

  #judgeInterruption(now: number): void {
    if (this.#interruptedAt === 0) return
    const { counts, times } = this.#options.findings
    const { audibleAt } = this.#heard
    if (now - Math.max(audibleAt, this.#interruptedAt) >= silencedMs) {
      times.silenced.push(Math.max(0, audibleAt - this.#interruptedAt))
      this.#interruptedAt = 0
    } else if (now - this.#interruptedAt > silencedWithinMs + silencedMs) {
      counts.notSilenced++
      this.#interruptedAt = 0
    }
  }

  #enter(phase: Phase, now: number): void {
    this.#phase = phase
    this.#since = now
  }

  #act(now: number): void {
    this.#since ??= now
    const waited = now - this.#since
    const quiet = this.#heard.quietMs(now)
    switch (this.#phase) {
      case "opening": {
        const heard = this.#heard.audibleAt > 0
        const over = heard ? quiet >= finishedMs : waited >= openingMs
        if (over || waited >= longestOpeningMs) this.#enter("pausing", now)
        return
      }
      case "pausing":
        if (waited >= pauseMs) this.#ask(now)
        return
      case "speaking":
        if (this.#frame * frameBytes < this.#utterance.audio.length) return
        this.#spokeUntil = now
        this.#enter("waiting", now)
        return
      case "waiting":
        this.#wait(now, waited)
        return
      case "listening":
        this.#listen(now, waited, quiet)
    }
  }

  #wait(now: number, waited: number): void {
    const { findings, caller } = this.#options
    const { audibleAt, audibleSince } = this.#heard
    if (audibleAt > this.#spokeUntil) {
      findings.counts.turns++
      // Who was speaking already, as an echo is, has answered nothing.
      if (audibleSince <= this.#spokeUntil) findings.counts.overlapped++
      else findings.answered(this.#utterance, audibleSince - this.#spokeUntil)
      this.#enter("listening", now)
    } else if (waited > answerWithinMs) {
      findings.counts.turns++
      findings.counts.unanswered++
      findings.note(
        `caller ${caller}, turn ${this.#turn} ("${this.#utterance.name}"): no answer within ${answerWithinMs} ms`
      )
      this.#enter("pausing", now)
    }
  }

  #listen(now: number, waited: number, quiet: number): void {
    const { findings, caller } = this.#options
    const interrupts = (this.#turn + caller) % interruptEvery === 0
    if (quiet >= finishedMs || waited > longestAnswerMs) this.#enter("pausing", now)
    else if (interrupts && waited >= listenMs && quiet === 0) {
      findings.counts.interruptions++
      this.#interruptedAt = now
      this.#ask(now)
    }
  }

  #ask(now: number): void {
    this.#turn++
    this.#frame = 0
    this.#enter("speaking", now)
  }

  #speak(): void {
    const { findings, noise, caller } = this.#options
    findings.counts.framesIn++
    const at = this.#frame * frameBytes
    const { audio } = this.#utterance
    if (this.#phase === "speaking" && at < audio.length) {
      this.#frame++
      this.#media(Buffer.from(audio.buffer, audio.byteOffset + at, frameBytes).toString("base64"))
    } else this.#media(noise[(this.#sent + caller) % noise.length])
  }

  #media(payload: string): void {
    const { send, streamSid } = this.#options
    const timestamp = this.#sent++ * 20
    send(
      `{"event":"media","sequenceNumber":"${++this.#sequence}","media":{"track":"inbound","chunk":"${this.#sent}","timestamp":"${timestamp}","payload":"${payload}"},"streamSid":"${streamSid}"}`
    )
  }

  #sendMark(name: string): void {
    const { send, streamSid } = this.#options
    send(
      `{"event":"mark","sequenceNumber":"${++this.#sequence}","streamSid":"${streamSid}","mark":{"name":${JSON.stringify(name)}}}`
    )
  }
}
