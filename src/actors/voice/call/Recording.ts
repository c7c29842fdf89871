/**
 * The recording of one call, for agents that have recording on. It places what the session hears and sends by media time and writes it to
 * `Recordings`. The recorder exists before the call's fiber runs; audio that it finishes before `store` waits in memory.
 */
import { Effect, type Scope } from "effect"
import { MediaTimeline } from "../../../audio/recording/MediaTimeline.ts"
import { StereoRecorder } from "../../../audio/recording/StereoRecorder.ts"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"
import { type RecordedCall, Recordings, type RecordingWriter } from "../../../domain/voice/engine/Recordings.ts"

/** Takes both sides of the call as they are heard. Times are milliseconds of the call. Synchronous; the caller reuses the arrays. */
export interface Recorder {
  /** One frame of the caller. `mediaMs`: its place by the sender's timestamps. */
  readonly caller: (pcm: Int16Array, mediaMs: number) => void
  /** A frame that was sent. `callMs`: when the caller will hear it, by our own clock. */
  readonly agent: (mulaw: Uint8Array, callMs: number) => void
  /** The provider dropped all audio of the agent that was to play after this time. */
  readonly agentStopped: (callMs: number) => void
}

export interface CallRecording {
  readonly recorder: Recorder
  /** Writes the recording while the scope lives: the scope of the call. Closing the scope ends the recording at once, without waiting. */
  readonly store: (call: RecordedCall) => Effect.Effect<void, never, Recordings | Scope.Scope>
}

export interface RecordingOptions {
  readonly agent: AgentConfig
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Milliseconds of the call that had passed before this stream. They belong to an earlier recording. */
  readonly elapsedMs?: number
}

/** Undefined unless the agent has recording on. Call it when the session is made: both count time from this moment. */
export const make = ({ agent, now, elapsedMs = 0 }: RecordingOptions): CallRecording | undefined => {
  if (!agent.recording) return undefined
  const startedAt = now() - elapsedMs
  const timeline = new MediaTimeline()
  const early: Array<Int16Array> = []
  let writer: RecordingWriter | undefined
  const stereo = new StereoRecorder((interleaved) => {
    if (writer === undefined) early.push(interleaved.slice())
    else writer.write(interleaved)
  })
  const placed = (callMs: number) => timeline.at(callMs) - elapsedMs
  const recorder: Recorder = {
    caller: (pcm, mediaMs) => {
      timeline.arrived(mediaMs, now() - startedAt)
      stereo.caller(pcm, mediaMs - elapsedMs)
    },
    agent: (mulaw, callMs) => stereo.agent(mulaw, placed(callMs)),
    agentStopped: (callMs) => stereo.agentStopped(placed(callMs))
  }
  const store = Effect.fnUntraced(function* (call: RecordedCall) {
    const { open } = yield* Recordings
    const opened = yield* open(call)
    writer = opened
    for (const interleaved of early.splice(0)) opened.write(interleaved)
    yield* Effect.addFinalizer(() => Effect.sync(() => stereo.end(placed(now() - startedAt))))
  })
  return { recorder, store }
}
