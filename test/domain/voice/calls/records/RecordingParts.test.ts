import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { decodeWav, encodeWav } from "../../../../../src/domain/basics/Wav.ts"
import {
  joinedBytes,
  piecesWithin,
  type RecordingPart,
  recordingSummary
} from "../../../../../src/domain/voice/calls/records/RecordingParts.ts"
import { recordingKey } from "../../../../../src/domain/voice/engine/Recordings.ts"

/** Parts with the given numbers of samples, and their stored objects. */
const recorded = (lengths: ReadonlyArray<number>) => {
  let value = 0
  const objects = new Map<string, Uint8Array>()
  const parts = lengths.map((length, index): RecordingPart => {
    const side = Int16Array.from({ length }, () => ++value)
    const file = encodeWav([side, side], 8_000)
    const key = recordingKey("org_1", "call_1", `rec_${index}`)
    objects.set(key, file)
    return { key, bytes: file.length, durationMs: length / 8 }
  })
  return { parts, objects, samples: value }
}

const read = ({ parts, objects }: ReturnType<typeof recorded>, start: number, end: number) =>
  Buffer.concat(
    piecesWithin(parts, { start, end }).map((piece) =>
      piece._tag === "Header"
        ? piece.bytes
        : (objects.get(piece.key) ?? new Uint8Array()).subarray(piece.range.start, piece.range.end + 1)
    )
  )

describe("the recordings of a call", () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 4 })

  it("with one part are that file, byte for byte", () => {
    const one = recorded([100])
    const [[, file]] = one.objects
    assert.isTrue(read(one, 0, file.length - 1).equals(file))
  })

  it("with several parts are one WAV with all samples in order", () => {
    fc.assert(
      fc.property(lengths, (lengths) => {
        const all = recorded(lengths)
        const [left, right] = decodeWav(read(all, 0, joinedBytes(all.parts) - 1)).channels
        assert.deepStrictEqual(
          [...left],
          Array.from({ length: all.samples }, (_, i) => i + 1)
        )
        assert.deepStrictEqual(left, right)
      })
    )
  })

  it("give any range exactly as it is in the whole", () => {
    fc.assert(
      fc.property(lengths, fc.nat(), fc.nat(), (lengths, a, b) => {
        const all = recorded(lengths)
        const size = joinedBytes(all.parts)
        const [start, end] = [Math.min(a % size, b % size), Math.max(a % size, b % size)]
        assert.isTrue(read(all, start, end).equals(read(all, 0, size - 1).subarray(start, end + 1)))
      })
    )
  })

  it("are summed up in the call's record, or absent when there are none", () => {
    assert.isNull(recordingSummary("call_1", []))
    assert.deepStrictEqual(recordingSummary("call_1", recorded([8_000, 4_000]).parts), {
      url: "/api/calls/call_1/recording",
      durationSeconds: 1.5,
      bytes: 44 + 12_000 * 4
    })
  })
})
