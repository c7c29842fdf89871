/** How long each side of a call was heard speaking, counted by frames. */
import { FRAME_MS } from "./Frame.ts"

export class TalkTime {
  /** Milliseconds of the caller's voice. */
  callerMs = 0
  /** Milliseconds of the agent's speech that was sent and not taken back. */
  agentMs = 0

  /** A frame of the caller's was voiced. */
  callerVoiced(): void {
    this.callerMs += FRAME_MS
  }

  /** A frame of the agent's speech was sent. */
  agentSent(): void {
    this.agentMs += FRAME_MS
  }

  /** The provider was told to drop the last `unplayedMs` of what was sent. */
  agentCleared(unplayedMs: number): void {
    this.agentMs = Math.max(0, this.agentMs - Math.max(0, unplayedMs))
  }
}
