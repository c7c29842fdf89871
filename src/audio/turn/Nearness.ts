/** Whose voice the detector hears: that of the caller, or one behind it that is far from the telephone, as a television's. */
import { VadEvent } from "../vad/Vad.ts"

/** When only a far voice is left of the speech, the caller has stopped so long ago at least, ms. */
const FAR_MS = 600
const NEVER = Number.NEGATIVE_INFINITY

export class Nearness {
  /** Last frame of the running speech that was as loud as the caller. */
  nearMs = NEVER
  /** Whether of what the detector hears as speech only a far voice is left. */
  onlyFar = false
  private wasNear = false

  /** Whether the running speech was never as loud as the caller, though the caller was heard before. */
  get neverNear(): boolean {
    return this.nearMs === NEVER && this.wasNear
  }

  /**
   * What the detector's event at `nowMs` says of the caller: a far voice that goes on behind the caller's is silence. `near`: the frame is voiced
   * and as loud as the caller. `speaking`: the caller was, until now. After `SpeechStopped` with `onlyFar` the caller's last sound was at `nearMs`.
   */
  ofCaller(event: VadEvent, near: boolean, speaking: boolean, nowMs: number): VadEvent {
    if (event === VadEvent.SpeechStarted) this.nearMs = NEVER
    if (near) {
      this.nearMs = nowMs
      this.wasNear = true
    }
    if (this.onlyFar) {
      if (!near && event !== VadEvent.SpeechStopped) return VadEvent.None
      this.onlyFar = false
      return near ? VadEvent.SpeechStarted : VadEvent.None
    }
    if (!speaking || event !== VadEvent.None || this.nearMs === NEVER || nowMs - this.nearMs < FAR_MS) return event
    this.onlyFar = true
    return VadEvent.SpeechStopped
  }
}
