/** `GET /api/calls/{id}/recording`: reads the recording from the object storage. */
import { createHash } from "node:crypto"
import { Effect, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import { ObjectStorage } from "../../../domain/basics/ObjectStorage.ts"
import { Calls } from "../../../domain/voice/calls/records/CallRecord.ts"
import { joinedBytes, piecesWithin, type RecordingPart } from "../../../domain/voice/calls/records/RecordingParts.ts"
import { recordingContentType } from "../../../domain/voice/engine/Recordings.ts"
import { NotFound } from "../../wire/Errors.ts"
import { fileResponse, present } from "../../wire/FileResponse.ts"

/** The ETag of a recording. Object keys are never reused, so they identify a version. */
const etagOf = (parts: ReadonlyArray<RecordingPart>) =>
  `"${createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32)}"`

const sentences = {
  missing: "The recording of this call is gone.",
  unreadable: "The recording cannot be read right now. Please try again later."
}

/** Makes the function that answers a request for the recording of a call: 404 when there is none. Needs Calls and ObjectStorage. */
export const makeRecordingResponse = Effect.gen(function* () {
  const calls = yield* Calls
  const storage = yield* ObjectStorage

  return Effect.fnUntraced(function* (
    request: HttpServerRequest.HttpServerRequest,
    organizationId: string,
    callId: string
  ) {
    const parts = yield* calls.recordings(organizationId, callId)
    if (parts.length === 0) return yield* new NotFound({ error: "There is no recording of such a call." })
    yield* present(
      Effect.forEach(parts, ({ key }) => storage.find(key), { concurrency: 4, discard: true }),
      sentences
    )
    return fileResponse(request, {
      size: joinedBytes(parts),
      etag: etagOf(parts),
      contentType: recordingContentType,
      fileName: `${callId.replace(/[^A-Za-z0-9_-]/g, "_")}.wav`,
      read: (range) =>
        Stream.flatMap(Stream.fromIterable(piecesWithin(parts, range)), (piece) =>
          piece._tag === "Header" ? Stream.succeed(piece.bytes) : storage.read(piece.key, piece.range)
        )
    })
  })
})
