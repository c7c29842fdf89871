/** Recordings of calls: stereo WAV at 8 kHz, the caller left, the agent as heard right. */
import { Context, type Effect, type Scope } from "effect"
import { type ObjectKey, objectKey } from "../../basics/ObjectStorage.ts"
import { wavHeader } from "../../basics/Wav.ts"
import type { CallEvent } from "./CallEvent.ts"

const channels = 2
const sampleRate = 8_000

/** Bytes of one sample of both sides; a recording is never cut inside one. */
export const bytesPerSample = channels * 2
export const bytesPerMs = (bytesPerSample * sampleRate) / 1_000

export const recordingContentType = "audio/wav"

/** The head of a recording with `dataBytes` of samples; `wavHeaderBytes` long. */
export const recordingHeader = (dataBytes: number): Uint8Array => wavHeader(channels, sampleRate, dataBytes)

/** Everything of an organization is under one prefix. Throws for ids that cannot be part of a key. */
export const recordingKey = (organizationId: string, callId: string, recordingId: string) =>
  objectKey("recordings", organizationId, callId, `${recordingId}.wav`)

/** Whether a key is one that `recordingKey` makes for this call. */
export const isRecordingOf = (call: Pick<RecordedCall, "organizationId" | "callId">, key: ObjectKey): boolean =>
  key.startsWith(`recordings/${call.organizationId}/${call.callId}/`)

export type RecordedCall = Pick<CallEvent, "organizationId" | "agentId" | "callId">

export interface RecordingWriter {
  /** The next samples: left, right, left … Never blocks and never fails; the array may be reused afterwards. */
  readonly write: (interleaved: Int16Array) => void
}

/**
 * Port of the engine. What is written is on disk within seconds, so that a crash keeps it. When the scope closes (at once: nobody waits for a
 * disk) the recording is finished, put into the object storage and told to the app as a `recording` event, after a restart if need be.
 * No failure of disk or storage reaches the call.
 */
export class Recordings extends Context.Service<
  Recordings,
  {
    readonly open: (call: RecordedCall) => Effect.Effect<RecordingWriter, never, Scope.Scope>
    /** Resolves when every recording is stored, and its event recorded; no failure of the storage ends the wait. */
    readonly delivered: Effect.Effect<void>
  }
>()("parley/domain/Recordings") {}
