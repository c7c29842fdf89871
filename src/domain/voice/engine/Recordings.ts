/** Recordings of calls: stereo WAV at 8 kHz. The left channel has the caller, the right one the agent as the caller heard it. */
import { Context, type Effect, type Scope } from "effect"
import { type ObjectKey, objectKey } from "../../basics/ObjectStorage.ts"
import { wavHeader } from "../../basics/Wav.ts"
import type { CallEvent } from "./CallEvent.ts"

const channels = 2
const sampleRate = 8_000

/** Bytes of one sample of both channels together. A recording is never cut inside such a sample. */
export const bytesPerSample = channels * 2
export const bytesPerMs = (bytesPerSample * sampleRate) / 1_000

export const recordingContentType = "audio/wav"

/** The WAV header of a recording that has `dataBytes` bytes of samples. The header is `wavHeaderBytes` long. */
export const recordingHeader = (dataBytes: number): Uint8Array => wavHeader(channels, sampleRate, dataBytes)

/** The object key of a recording. All recordings of an organization share one prefix. Throws for ids that cannot be part of a key. */
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
 * The engine's port for recordings. Samples are on disk within seconds, so they survive a crash. The scope closes at once, without waiting for
 * the disk. Afterwards the recording is finished and stored, and the app gets a `recording` event, if necessary after a restart. A failure
 * of disk or storage never reaches the call.
 */
export class Recordings extends Context.Service<
  Recordings,
  {
    readonly open: (call: RecordedCall) => Effect.Effect<RecordingWriter, never, Scope.Scope>
    /** Resolves when every recording is stored and its event is in the journal. A failure of the storage does not end the wait. */
    readonly delivered: Effect.Effect<void>
  }
>()("parley/domain/Recordings") {}
