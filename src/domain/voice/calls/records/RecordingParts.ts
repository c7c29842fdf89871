/**
 * Joins the recordings of a call into one WAV file. A call that came back to its agent has several recordings. The time between them is left
 * out.
 */
import { Schema } from "effect"
import { type ByteRange, ObjectKey } from "../../../basics/ObjectStorage.ts"
import { wavHeaderBytes } from "../../../basics/Wav.ts"
import { recordingHeader } from "../../engine/RecordingFormat.ts"

/** A recording in the object storage. The keys of one call sort in the order in which the recordings began. */
export const RecordingPart = Schema.Struct({ key: ObjectKey, bytes: Schema.Int, durationMs: Schema.Int })
export type RecordingPart = typeof RecordingPart.Type

/** What a call's record says about its recording. */
export const RecordingSummary = Schema.Struct({ url: Schema.String, durationSeconds: Schema.Number, bytes: Schema.Int })
export type RecordingSummary = typeof RecordingSummary.Type

const dataBytes = (parts: ReadonlyArray<RecordingPart>) =>
  parts.reduce((sum, { bytes }) => sum + bytes - wavHeaderBytes, 0)

/** Size of the joined file in bytes. `parts` must not be empty. */
export const joinedBytes = (parts: ReadonlyArray<RecordingPart>): number => wavHeaderBytes + dataBytes(parts)

/** The summary of a call's recordings; null when there are none. */
export const recordingSummary = (callId: string, parts: ReadonlyArray<RecordingPart>): RecordingSummary | null =>
  parts.length === 0
    ? null
    : {
        url: `/api/calls/${callId}/recording`,
        durationSeconds: Math.round(parts.reduce((sum, { durationMs }) => sum + durationMs, 0) / 100) / 10,
        bytes: joinedBytes(parts)
      }

/** A piece of the joined file: part of its header, or a range of bytes of a stored object. */
export type Piece =
  | { readonly _tag: "Header"; readonly bytes: Uint8Array }
  | { readonly _tag: "Samples"; readonly key: ObjectKey; readonly range: ByteRange }

/** The pieces within `range` of the joined file, in order and without empty ones. */
export const piecesWithin = (parts: ReadonlyArray<RecordingPart>, { start, end }: ByteRange): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = []
  if (start < wavHeaderBytes)
    pieces.push({ _tag: "Header", bytes: recordingHeader(dataBytes(parts)).subarray(start, end + 1) })
  let at = wavHeaderBytes
  for (const { key, bytes } of parts) {
    const next = at + bytes - wavHeaderBytes
    const [first, last] = [Math.max(start, at), Math.min(end, next - 1)]
    const inObject = wavHeaderBytes - at
    if (first <= last) pieces.push({ _tag: "Samples", key, range: { start: first + inObject, end: last + inObject } })
    at = next
  }
  return pieces
}
