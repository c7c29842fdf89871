/**
 * A call as both sides hear it, for people who listen in: what comes from the caller, and what the caller hears of the agent at that moment. It makes one
 * frame every 20 ms while somebody listens, and does nothing otherwise. Synchronous; allocates nothing for a frame.
 */
import { FRAME_BYTES, FRAME_MS, SILENCE } from "../../../audio/frames/Frame.ts"
import { FrameRing } from "../../../audio/frames/FrameRing.ts"
import * as Mulaw from "../../../audio/frames/Mulaw.ts"
import type { SpeechSink } from "./CallSound.ts"

/** The most of the caller that waits for its turn. Frames. */
const mostOfCaller = 6
/** So much of the caller waits before it is heard, since frames come unevenly. Frames. */
const startFrames = 2
/** The most of the agent that was sent and is not heard yet; the play-out is 100 ms ahead. Frames. */
const mostOfAgent = 25
/** What is later than this is not heard any more. Milliseconds. */
const mostLateMs = 200

// Working memory of one synchronous frame.
const both = new Uint8Array(FRAME_BYTES)
const callerFrame = new Uint8Array(FRAME_BYTES)
const callerPcm = new Int16Array(FRAME_BYTES)

export class Monitor {
  private readonly hear: NonNullable<SpeechSink["monitor"]>
  private readonly fromCaller = new FrameRing(mostOfCaller)
  private readonly fromAgent = new FrameRing(mostOfAgent)
  /** When each frame of the agent that waits is heard, monotonic milliseconds: a ring beside `fromAgent`, whose oldest is at `firstOfAgent`. */
  private readonly heardAt = new Float64Array(mostOfAgent)
  private firstOfAgent = 0
  private listening = false
  private callerFlows = false
  /** When the next frame is heard. */
  private nextMs = Number.NEGATIVE_INFINITY

  constructor(hear: NonNullable<SpeechSink["monitor"]>) {
    this.hear = hear
  }

  /** Somebody listens from now on, or nobody does any more. */
  listen(on: boolean): void {
    if (on === this.listening) return
    this.listening = on
    this.callerFlows = false
    this.nextMs = Number.NEGATIVE_INFINITY
    this.fromCaller.clear()
    this.cleared()
  }

  /** A frame came from the caller. */
  caller(frame: Uint8Array): void {
    if (this.listening) this.fromCaller.push(frame)
  }

  /** A frame was sent that the caller hears at `at`. */
  agent(frame: Uint8Array, at: number): void {
    if (!this.listening) return
    if (this.fromAgent.length === mostOfAgent) this.firstOfAgent = (this.firstOfAgent + 1) % mostOfAgent
    this.heardAt[(this.firstOfAgent + Math.min(this.fromAgent.length, mostOfAgent - 1)) % mostOfAgent] = at
    this.fromAgent.push(frame)
  }

  /** The provider dropped what the caller has not heard. */
  cleared(): void {
    this.fromAgent.clear()
    this.firstOfAgent = 0
  }

  /** The media clock calls it every 20 ms. `dueMs`: when the tick was due, monotonic. */
  tick(dueMs: number): void {
    if (!this.listening) return
    // After a stall there is one tick for several frames. A long one is not made up for.
    if (dueMs - this.nextMs > mostLateMs) this.nextMs = dueMs
    for (; this.nextMs < dueMs + FRAME_MS / 2; this.nextMs += FRAME_MS) this.frame(this.nextMs)
  }

  private frame(atMs: number): void {
    this.takeCaller()
    both.fill(SILENCE)
    const agentSpeaks = this.takeAgent(atMs)
    Mulaw.decodeInto(callerFrame, callerPcm)
    if (agentSpeaks) Mulaw.mixInto(both, callerPcm, 0)
    else both.set(callerFrame)
    this.hear(both, callerFrame)
  }

  /** The frame of the agent that is heard at this time. Those that should have been heard long ago are forgotten. */
  private takeAgent(atMs: number): boolean {
    const { fromAgent, heardAt } = this
    let taken = false
    while (fromAgent.length > 0 && heardAt[this.firstOfAgent] < (taken ? atMs - mostLateMs : atMs + FRAME_MS / 2)) {
      taken = fromAgent.take(both)
      this.firstOfAgent = (this.firstOfAgent + 1) % mostOfAgent
    }
    return taken
  }

  private takeCaller(): void {
    if (!this.callerFlows && this.fromCaller.length >= startFrames) this.callerFlows = true
    if (this.callerFlows && this.fromCaller.take(callerFrame)) return
    this.callerFlows = false
    callerFrame.fill(SILENCE)
  }
}
