/**
 * One call with its own clock: the caller speaks and the agent is heard as fast as the processor allows, and the call waits only for answers of
 * providers. So the processor time of a turn does not depend on how busy the machine is.
 */
import { setImmediate as nextRound, setTimeout as sleep } from "node:timers/promises"
import { type CallInside, open } from "../../src/actors/voice/call/OpenCall.ts"
import type { AgentConfig } from "../../src/domain/voice/engine/AgentConfig.ts"
import type { Clips } from "../crowd/Clips.ts"
import { frameBytes, stamp } from "../crowd/Watermark.ts"

const frameMs = 20
/** Frames are handed over in bunches, so that other calls come between them. */
const bunch = 10
const patienceMs = 15_000
/** The disclosure and the welcome. */
const openingMarks = 2
/** Silence after which the end of speech was noticed. */
const pauseFrames = 20
const markPattern = /"mark":\{"name":"([^"]+)"/

/** The caller has waited long enough. */
export class NotAnswered extends Error {
  override readonly name = "NotAnswered"
}

export class Talk {
  readonly call: CallInside
  framesIn = 0
  framesOut = 0
  readonly #caller: number
  readonly #clip: Uint8Array
  readonly #noise: ReadonlyArray<Uint8Array>
  readonly #marks: Array<{ readonly name: string; readonly dueMs: number }> = []
  readonly #frame = Buffer.alloc(frameBytes)
  #nowMs = 1_000
  #playedUntilMs = 0
  #heardMarks = 0
  #turn = 0

  constructor(caller: number, clips: Clips, agent: AgentConfig) {
    this.#caller = caller
    this.#clip = clips.callers[caller % clips.callers.length]
    this.#noise = clips.noise.map((text) => Buffer.from(text, "base64"))
    const ids = { agentId: agent.agentId, agentVersion: agent.version, accountSid: "AC1", authToken: "token" }
    this.call = open({
      setup: {
        ...ids,
        callId: `call_${caller}`,
        callSid: `CA${caller}`,
        direction: "inbound",
        from: "+14155550100",
        to: "+14155550101",
        contactName: null
      },
      agent,
      streamSid: `MZ${caller}`,
      line: { send: (message) => this.#sent(message), close: () => undefined },
      now: () => this.#nowMs
    })
  }

  /** Hears the disclosure and the welcome. Rejects with NotAnswered when they do not come in time. */
  async open(): Promise<void> {
    for (const began = performance.now(); this.#heardMarks < openingMarks; ) {
      if (performance.now() - began > patienceMs)
        throw new NotAnswered(`caller ${this.#caller} does not hear the disclosure and the welcome`)
      await this.#silence()
      await sleep(1)
    }
  }

  /** The caller asks, and hears the whole answer. Rejects with NotAnswered when it does not begin in time, or does not end. */
  async turn(): Promise<void> {
    const { audio } = this.call
    const { speech } = audio
    const total = this.#clip.length / frameBytes
    const utterance = (++this.#turn << 2) & 0xffff
    for (let index = 0; index < total; index++) {
      this.#frame.set(this.#clip.subarray(index * frameBytes, (index + 1) * frameBytes))
      stamp(this.#frame, 0, { caller: this.#caller, utterance, index, total })
      await this.#step(this.#frame)
    }
    // Its end is not heard at once; from then on the clock stands still while there is something to wait for.
    for (let index = 0; index < pauseFrames; index++) await this.#silence()
    const complete = () => speech.nearlyDone(Number.POSITIVE_INFINITY)
    const waits = () => audio.awaitsTranscript || !(speech.held || complete())
    for (const began = performance.now(); !speech.audible; await (waits() ? sleep(5) : this.#silence()))
      if (performance.now() - began > patienceMs) throw new NotAnswered(`caller ${this.#caller} gets no answer`)
    for (const began = performance.now(); !complete(); await sleep(5))
      if (performance.now() - began > patienceMs) throw new NotAnswered(`caller ${this.#caller} gets half an answer`)
    while (speech.audible) await this.#silence()
  }

  hangUp(): void {
    this.call.offer({ _tag: "LineClosed" })
  }

  #silence(): Promise<void> {
    return this.#step(this.#noise[this.framesIn % this.#noise.length])
  }

  async #step(payload: Uint8Array): Promise<void> {
    this.#nowMs += frameMs
    this.call.audio.media(payload, this.framesIn++ * frameMs)
    this.call.audio.tick(this.#nowMs)
    while (this.#marks.length > 0 && this.#marks[0].dueMs <= this.#nowMs) {
      this.call.audio.speech.mark(this.#marks.shift()!.name)
      this.#heardMarks++
    }
    if (this.framesIn % bunch === 0) await nextRound()
  }

  /** Audio comes as bytes, all else as text. */
  #sent(message: string | Uint8Array): void {
    const mark = typeof message === "string" ? markPattern.exec(message) : null
    if (mark !== null) this.#marks.push({ name: mark[1], dueMs: this.#playedUntilMs })
    else if (typeof message === "string") {
      this.#playedUntilMs = this.#nowMs
      for (const waiting of this.#marks.splice(0)) this.#marks.push({ ...waiting, dueMs: this.#nowMs })
    } else {
      this.framesOut++
      this.#playedUntilMs = Math.max(this.#playedUntilMs, this.#nowMs) + frameMs
    }
  }
}
