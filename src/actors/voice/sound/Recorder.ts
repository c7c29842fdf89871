/** Takes both sides of a call as they are heard, places them by media time, and hands on stereo audio. Synchronous. */
import { MediaTimeline } from "../../../audio/recording/MediaTimeline.ts"
import { StereoRecorder } from "../../../audio/recording/StereoRecorder.ts"

/** Times are milliseconds of the call. The caller reuses the arrays. */
export interface Recorder {
  /** One frame of the caller. `mediaMs`: its place by the sender's timestamps. */
  readonly caller: (pcm: Int16Array, mediaMs: number) => void
  /** A frame that was sent. `callMs`: when the caller will hear it, by our own clock. */
  readonly agent: (mulaw: Uint8Array, callMs: number) => void
  /** The provider dropped all audio of the agent that was to play after this time. */
  readonly agentStopped: (callMs: number) => void
  /** The call is over: hands on what is left. */
  readonly end: () => void
}

export interface RecorderOptions {
  /** Gets the interleaved samples of both sides; the array is reused. */
  readonly write: (interleaved: Int16Array) => void
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Milliseconds of the call that had passed before this stream. They belong to an earlier recording. */
  readonly elapsedMs?: number
}

/** Make it with the call's sound: both count time from this moment. */
export const makeRecorder = ({ write, now, elapsedMs = 0 }: RecorderOptions): Recorder => {
  const startedAt = now() - elapsedMs
  const timeline = new MediaTimeline()
  const stereo = new StereoRecorder(write)
  const placed = (callMs: number) => timeline.at(callMs) - elapsedMs
  return {
    caller: (pcm, mediaMs) => {
      timeline.arrived(mediaMs, now() - startedAt)
      stereo.caller(pcm, mediaMs - elapsedMs)
    },
    agent: (mulaw, callMs) => stereo.agent(mulaw, placed(callMs)),
    agentStopped: (callMs) => stereo.agentStopped(placed(callMs)),
    end: () => stereo.end(placed(now() - startedAt))
  }
}
