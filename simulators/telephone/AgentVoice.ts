/** Detects from the heard audio when the agent speaks, and how long it kept speaking after the caller began. */
import { frameMs } from "./Mulaw.ts"

/** Quiet for this long ends an utterance (speech has pauses of its own). */
const hangoverMs = 400
/** The caller speaks over the agent when the agent was audible this recently. */
const overlapMs = 200

export class AgentVoice {
  readonly #emit: (type: "agentSpeechStarted" | "agentSpeechEnded", atMs: number) => void
  #speaking = false
  #bargeInAt: number | undefined
  /** End of the last audible 20 ms; -1 before the first. */
  lastAudibleMs = -1
  /** Per interruption: milliseconds from the caller's first voiced sample to the first `clear`, after which the agent is softer, or to its silence. */
  readonly bargeIns: Array<number> = []

  constructor(emit: (type: "agentSpeechStarted" | "agentSpeechEnded", atMs: number) => void) {
    this.#emit = emit
  }

  /** Takes one tick that began at `atMs`. */
  step(atMs: number, audible: boolean): void {
    if (audible) {
      if (!this.#speaking) this.#emit("agentSpeechStarted", atMs)
      this.#speaking = true
      this.lastAudibleMs = atMs + frameMs
    } else if (this.#speaking && atMs + frameMs - this.lastAudibleMs >= hangoverMs) this.end()
  }

  callerVoiced(atMs: number): void {
    if (this.#speaking && atMs - this.lastAudibleMs < overlapMs) this.#bargeInAt ??= atMs
  }

  /** Ends the utterance: after silence, a clear, or the end of the call. */
  end(): void {
    if (!this.#speaking) return
    this.#speaking = false
    this.#emit("agentSpeechEnded", this.lastAudibleMs)
    if (this.#bargeInAt !== undefined) this.bargeIns.push(Math.max(0, this.lastAudibleMs - this.#bargeInAt))
    this.#bargeInAt = undefined
  }
}
