/** The caller's end of the line. Every 20 ms it sends one frame, hears one, and checks the conditions that scripts wait for. */
import { AgentVoice } from "./AgentVoice.ts"
import type { EndedBy, LineEvent } from "./CallEvents.ts"
import type { MediaStream } from "./MediaStream.ts"
import { type LineNoise, Mouth } from "./Mouth.ts"
import { audible, frameMs } from "./Mulaw.ts"
import { Speaker } from "./Speaker.ts"
import { Tape } from "./Tape.ts"

/** The call has ended: rejects everything that a caller script still waits for. */
export class CallEnded extends Error {
  override readonly name = "CallEnded"
  constructor() {
    super("the call has ended")
  }
}

interface Waiter {
  readonly met: () => boolean
  readonly deadlineMs: number
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

export class Line {
  readonly said = new Tape()
  readonly heard = new Tape()
  readonly events: Array<LineEvent> = []
  readonly voice: AgentVoice
  readonly #speaker = new Speaker()
  readonly #mouth: Mouth
  readonly #onEvent: ((event: LineEvent) => void) | undefined
  #waiters: Array<Waiter> = []
  #ended = false
  /** When the caller's last utterance was over; -1 before the first. */
  lastSaidMs = -1
  /** Milliseconds since the call was answered, in whole ticks. */
  nowMs = 0
  stream: MediaStream | undefined

  constructor(noise: LineNoise | undefined, onEvent: ((event: LineEvent) => void) | undefined) {
    this.#onEvent = onEvent
    this.voice = new AgentVoice((type, atMs) => this.record({ type, atMs }))
    this.#mouth = new Mouth(noise, (offsetMs) => {
      const atMs = this.nowMs + offsetMs
      this.record({ type: "callerSpeechStarted", atMs })
      this.voice.callerVoiced(atMs)
    })
  }

  record(event: LineEvent): void {
    this.events.push(event)
    this.#onEvent?.(event)
  }

  tick(): void {
    const said = this.said.extend()
    const silent = this.#mouth.tick(said.bytes, said.at)
    this.stream?.sendFrame(said.bytes, said.at, silent)
    const heard = this.heard.extend()
    const source = this.stream?.playout ?? this.#speaker
    const played = source.tick(heard.bytes, heard.at)
    if (!played) heard.bytes.fill(0xff, heard.at, heard.at + 160)
    this.voice.step(this.nowMs, played && audible(heard.bytes, heard.at))
    this.nowMs += frameMs
    if (this.#waiters.length > 0) this.#wake()
  }

  /** The network plays mu-law to the caller. Resolves when the caller has heard it. */
  play(mulaw: Uint8Array): Promise<void> {
    this.#speaker.load(mulaw)
    return this.until(() => this.#speaker.idle, "the file is played")
  }

  say(speech: Int16Array | Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(new CallEnded())
      const waiter: Waiter = { met: () => false, deadlineMs: Number.POSITIVE_INFINITY, resolve, reject }
      this.#waiters.push(waiter)
      this.#mouth.say(speech, () => {
        this.lastSaidMs = this.nowMs + frameMs
        this.record({ type: "callerSpeechEnded", atMs: this.lastSaidMs })
        this.#waiters = this.#waiters.filter((other) => other !== waiter)
        resolve()
      })
    })
  }

  /** Resolves at the first tick at which `met` holds; rejects after `timeoutMs`, or when the call ends. */
  until(met: () => boolean, what: string, timeoutMs = Number.POSITIVE_INFINITY): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(new CallEnded())
      const late = new Error(`${what}: not within ${timeoutMs} ms`)
      this.#waiters.push({
        met,
        deadlineMs: this.nowMs + timeoutMs,
        resolve,
        reject: (error) => reject(error instanceof CallEnded ? error : late)
      })
    })
  }

  #wake(): void {
    const waiting = this.#waiters
    this.#waiters = []
    for (const waiter of waiting) {
      if (waiter.met()) waiter.resolve()
      else if (this.nowMs >= waiter.deadlineMs) waiter.reject(new Error("too late"))
      else this.#waiters.push(waiter)
    }
  }

  end(by: EndedBy): void {
    if (this.#ended) return
    this.#ended = true
    this.voice.end()
    this.record({ type: "ended", atMs: this.nowMs, by })
    for (const waiter of this.#waiters) waiter.reject(new CallEnded())
    this.#waiters = []
  }
}
