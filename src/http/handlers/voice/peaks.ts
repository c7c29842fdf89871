/** `GET /api/calls/{id}/peaks`: reads the recording once, and keeps what it found of the last recordings. */
import { Effect, Stream } from "effect"
import { ObjectStorage } from "../../../domain/basics/ObjectStorage.ts"
import { wavHeaderBytes } from "../../../domain/basics/Wav.ts"
import { Calls } from "../../../domain/voice/calls/records/CallRecord.ts"
import { joinedBytes, piecesWithin } from "../../../domain/voice/calls/records/RecordingParts.ts"
import { RecordingScan } from "../../../domain/voice/calls/records/RecordingScan.ts"
import { NotFound } from "../../wire/Errors.ts"
import { present } from "../../wire/FileResponse.ts"

/** Scans that are kept: those of an hour have 1.4 MB. */
const mostKept = 20

const sentences = {
  missing: "The recording of this call is gone.",
  unreadable: "The recording cannot be read right now. Please try again later."
}

/** Makes the function that gives the peaks and the measured waits of a call: 404 when it has no recording. Needs Calls and ObjectStorage. */
export const makePeaks = Effect.gen(function* () {
  const calls = yield* Calls
  const storage = yield* ObjectStorage
  const kept = new Map<string, RecordingScan>()

  return Effect.fnUntraced(function* (organizationId: string, callId: string, points: number) {
    const parts = yield* calls.recordings(organizationId, callId)
    if (parts.length === 0) {
      const known = (yield* calls.find(organizationId, callId)) !== undefined
      return yield* new NotFound({ error: known ? "This call has no recording." : "There is no such call." })
    }
    const name = parts.map(({ key, bytes }) => `${key} ${bytes}`).join("|")
    const size = joinedBytes(parts)
    const scan = kept.get(name) ?? new RecordingScan(size - wavHeaderBytes)
    if (!kept.has(name)) {
      const samples = piecesWithin(parts, { start: wavHeaderBytes, end: size - 1 })
      const reading = Stream.runForEach(
        Stream.flatMap(Stream.fromIterable(samples), (piece) =>
          piece._tag === "Header" ? Stream.empty : storage.read(piece.key, piece.range)
        ),
        (bytes) => Effect.sync(() => scan.push(bytes))
      )
      yield* present(reading, sentences)
      const [oldest] = kept.size >= mostKept ? kept.keys() : []
      if (oldest !== undefined) kept.delete(oldest)
      kept.set(name, scan)
    }
    // The recording of a call that came back from a human leaves out the time between, which the utterances count.
    const turns = parts.length > 1 ? [] : scan.turns(yield* calls.utterances(organizationId, callId))
    return { id: callId, durationMs: scan.durationMs, ...scan.peaks(points), turns }
  })
})
