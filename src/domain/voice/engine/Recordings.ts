/** Recordings of calls: their keys, and the engine's port for them. `RecordingFormat` has what is in them. */
import { Context, type Effect, type Scope } from "effect"
import { type ObjectKey, objectKey } from "../../basics/ObjectStorage.ts"
import type { CallEvent } from "./CallEvent.ts"

export const recordingContentType = "audio/wav"

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
    /** The file that the process of the sound records this call to; undefined when the call cannot be recorded. */
    readonly fileElsewhere: (call: RecordedCall) => string | undefined
    /** Finishes and stores a file that another process has written, once `complete` resolves. Does not wait for it. */
    readonly finish: (file: string, complete: Effect.Effect<void>) => Effect.Effect<void>
    /** Resolves when every recording is stored and its event is in the journal. A failure of the storage does not end the wait. */
    readonly delivered: Effect.Effect<void>
  }
>()("parley/domain/Recordings") {}
