import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { hasVersion, isOfVersion, requestedRange } from "../../../src/http/wire/ByteRanges.ts"

const size = fc.integer({ min: 1, max: 1_000_000 })

describe("the Range header", () => {
  it("gives what the standard says for first-last, first- and -length, and never more than the file", () => {
    fc.assert(
      fc.property(size, fc.nat(2_000_000), fc.nat(2_000_000), (size, a, b) => {
        const [first, last] = [Math.min(a, b), Math.max(a, b)]
        const expected = first >= size ? "unsatisfiable" : { start: first, end: Math.min(last, size - 1) }
        assert.deepStrictEqual(requestedRange(`bytes=${first}-${last}`, size), expected)
        const open = first >= size ? "unsatisfiable" : { start: first, end: size - 1 }
        assert.deepStrictEqual(requestedRange(`bytes=${first}-`, size), open)
        const tail = a === 0 ? "unsatisfiable" : { start: Math.max(0, size - a), end: size - 1 }
        assert.deepStrictEqual(requestedRange(`bytes=-${a}`, size), tail)
      })
    )
  })

  it("is ignored when it is malformed, in another unit, or has several ranges", () => {
    for (const header of [
      undefined,
      "",
      "bytes",
      "bytes=",
      "bytes=-",
      "bytes=5-2",
      "lines=0-1",
      "bytes=0-1,3-4",
      "bytes=a-b",
      "bytes=1.5-2",
      "bytes=--1"
    ])
      assert.strictEqual(requestedRange(header, 100), "whole", header)
  })

  it("never gives bytes outside the file, whatever is sent", () => {
    const piece = fc.oneof(
      fc.constantFrom("bytes=", "-", ",", " ", "0", "99999999999999999999"),
      fc.nat().map(String),
      fc.string()
    )
    fc.assert(
      fc.property(size, fc.array(piece, { maxLength: 5 }), (size, pieces) => {
        const range = requestedRange(pieces.join(""), size)
        if (typeof range === "string") return
        assert.isTrue(0 <= range.start && range.start <= range.end && range.end < size)
      })
    )
  })
})

describe("versions of a file", () => {
  it("are compared by their tags", () => {
    assert.isTrue(hasVersion('"a", W/"b"', '"b"'))
    assert.isTrue(hasVersion("*", '"b"'))
    assert.isFalse(hasVersion('"a"', '"b"'))
    assert.isFalse(hasVersion(undefined, '"b"'))
    assert.isTrue(isOfVersion(undefined, '"b"'))
    assert.isTrue(isOfVersion('"b"', '"b"'))
    assert.isFalse(isOfVersion('W/"b"', '"b"'))
    assert.isFalse(isOfVersion("Wed, 21 Oct 2026 07:28:00 GMT", '"b"'))
  })
})
