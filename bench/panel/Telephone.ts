/**
 * The telephone of one call of the panel: the provider's buffer, and both sides as two tracks. Time is the call's; nothing waits for a clock.
 */
import { decode, encode } from "../../src/audio/frames/Mulaw.ts"

const FRAME = 160
const RATE = 8
/** From the service's frame to the caller's ear, and back. */
export const networkMs = 40

export interface Marked {
  readonly name: string
  readonly dueMs: number
}

export class Telephone {
  /** What the caller hears, by samples of the call. */
  readonly agent: Int16Array
  /** What the caller says and what the line carries. */
  readonly caller: Int16Array
  nowMs = 0
  private playedUntilMs = 0
  private takenMs = 0
  private marks: Array<Marked> = []
  private readonly background: Float64Array
  private readonly echoGain: number
  private readonly echoDelay: number

  constructor(options: {
    readonly longestMs: number
    /** Under the whole call, in samples. */
    readonly background: Float64Array
    readonly echo?: { readonly gainDb: number; readonly delayMs: number }
  }) {
    const { background, echo, longestMs } = options
    this.agent = new Int16Array(longestMs * RATE)
    this.caller = new Int16Array(longestMs * RATE)
    this.background = background
    this.echoGain = echo === undefined ? 0 : 10 ** (echo.gainDb / 20)
    this.echoDelay = (echo?.delayMs ?? 0) * RATE
  }

  /** A message of the service. */
  readonly send = (message: string | Uint8Array): void => {
    const text = typeof message === "string" ? message : Buffer.from(message).toString("latin1")
    const { event, mark, media } = JSON.parse(text) as {
      readonly event: string
      readonly mark?: { readonly name: string }
      readonly media?: { readonly payload: string }
    }
    if (event === "clear") this.clear()
    else if (mark !== undefined) this.marks.push({ name: mark.name, dueMs: this.playedUntilMs })
    else if (media !== undefined) this.play(decode(Buffer.from(media.payload, "base64")))
  }

  /** Whether the provider has speech of the agent to play. */
  get plays(): boolean {
    return this.playedUntilMs > this.nowMs
  }

  /** Names of the marks before which all was played. */
  takeMarks(): ReadonlyArray<string> {
    const due = this.marks.filter(({ dueMs }) => dueMs <= this.nowMs)
    this.marks = this.marks.filter(({ dueMs }) => dueMs > this.nowMs)
    return due.map(({ name }) => name)
  }

  /** The caller's own sound since this was last asked. */
  readonly takeCaller = (): Int16Array => {
    const from = this.takenMs
    this.takenMs = this.nowMs
    return this.caller.slice(from * RATE, this.nowMs * RATE)
  }

  /** The caller begins to say this now. */
  say(samples: Int16Array, factor = 1): void {
    const at = this.nowMs * RATE
    for (let i = 0; i < samples.length && at + i < this.caller.length; i++) this.caller[at + i] += factor * samples[i]
  }

  /** The next 20 ms of the line as the service gets them; time goes on. */
  next(): Uint8Array {
    const at = this.nowMs * RATE
    const heard = Int16Array.from({ length: FRAME }, (_, i) => {
      const echo = this.agent[at + i - this.echoDelay] ?? 0
      const sum = this.caller[at + i] + this.background[(at + i) % this.background.length] + this.echoGain * echo
      return Math.max(-32_768, Math.min(32_767, Math.round(sum)))
    })
    this.nowMs += FRAME / RATE
    return encode(heard)
  }

  private play(samples: Int16Array): void {
    this.playedUntilMs = Math.max(this.playedUntilMs, this.nowMs + networkMs)
    this.agent.set(samples, this.playedUntilMs * RATE)
    this.playedUntilMs += FRAME / RATE
  }

  private clear(): void {
    const fromMs = this.nowMs + networkMs
    this.agent.fill(0, fromMs * RATE, Math.max(fromMs, this.playedUntilMs) * RATE)
    this.playedUntilMs = fromMs
    // A provider gives back the marks of what it drops.
    this.marks = this.marks.map(({ name }) => ({ name, dueMs: fromMs }))
  }
}
