/**
 * The recording of one call, for agents that have recording on: what `Recorder` makes is written to `Recordings`. The recorder exists before the call's
 * fiber runs; audio that it finishes before `store` waits in memory.
 */
import { Effect, type Scope } from "effect"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"
import { type RecordedCall, Recordings, type RecordingWriter } from "../../../domain/voice/engine/Recordings.ts"
import { makeRecorder, type Recorder, type RecorderOptions } from "../sound/Recorder.ts"

export interface CallRecording {
  readonly recorder: Recorder
  /** Writes the recording while the scope lives: the scope of the call. Closing the scope ends the recording at once, without waiting. */
  readonly store: (
    call: RecordedCall,
    /** Whether the call goes on elsewhere, and with it the recording. */
    isLeft: () => boolean
  ) => Effect.Effect<void, never, Recordings | Scope.Scope>
}

export interface RecordingOptions extends Omit<RecorderOptions, "write"> {
  readonly agent: AgentConfig
}

/** Undefined unless the agent has recording on. Call it when the call's sound is made: both count time from this moment. */
export const make = ({ agent, ...times }: RecordingOptions): CallRecording | undefined => {
  if (!agent.recording) return undefined
  const early: Array<Int16Array> = []
  let writer: RecordingWriter | undefined
  const recorder = makeRecorder({
    ...times,
    write: (interleaved) => {
      if (writer === undefined) early.push(interleaved.slice())
      else writer.write(interleaved)
    }
  })
  const store = Effect.fnUntraced(function* (call: RecordedCall) {
    const { open } = yield* Recordings
    const opened = yield* open(call)
    writer = opened
    for (const interleaved of early.splice(0)) opened.write(interleaved)
    yield* Effect.addFinalizer(() => Effect.sync(() => recorder.end()))
  })
  return { recorder, store }
}
