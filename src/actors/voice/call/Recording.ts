/**
 * The recording of one call, for agents that ask for it: what the session hears and sends, placed by media time, into `Recordings`. The
 * recorder is there before the call's fiber runs; what it finishes before `store` waits in memory.
 */
import { Effect, type Scope } from "effect"
import { MediaTimeline } from "../../../audio/recording/MediaTimeline.ts"
import { StereoRecorder } from "../../../audio/recording/StereoRecorder.ts"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"
import { type RecordedCall, Recordings, type RecordingWriter } from "../../../domain/voice/engine/Recordings.ts"

/** Takes both sides of the call as they are heard; times are milliseconds of the call. Synchronous, arrays are reused. */
export interface Recorder {
  /** `mediaMs` by the sender's timestamps. */
  readonly caller: (pcm: Int16Array, mediaMs: number) => void
  /** A frame that was sent; `callMs` is when it will be heard, by our own clock. */
  readonly agent: (mulaw: Uint8Array, callMs: number) => void
  /** What was to be heard of the agent from here on was taken back. */
  readonly agentStopped: (callMs: number) => void
}

export interface CallRecording {
  readonly recorder: Recorder
  /** Keeps the recording while the scope lives, which is that of the call. Closing it ends the recording at that moment; it waits for nothing. */
  readonly store: (call: RecordedCall) => Effect.Effect<void, never, Recordings | Scope.Scope>
}

export interface RecordingOptions {
  readonly agent: AgentConfig
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Milliseconds of the call that were over before this stream: they belong to an earlier recording. */
  readonly elapsedMs?: number
}

/** Undefined unless the agent is to be recorded. To be called when the session is made: both count from here. */
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
