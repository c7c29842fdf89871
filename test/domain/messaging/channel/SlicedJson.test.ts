import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { parsedInSlices } from "../../../../src/domain/messaging/channel/cloudapi/SlicedJson.ts"

/** A text of some 300 KB around this value, in pieces whose ends fall anywhere. */
const pieces = (value: unknown, size: number) => {
  const bytes = Buffer.from(JSON.stringify({ value, filler: "नमस्ते ".repeat(20_000) }))
  const parts: Array<Uint8Array> = []
  for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size))
  return { bytes, parts }
}

describe("JSON that is parsed in slices", () => {
  it("has the value that it has when it is parsed at once", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1_000, max: 100_000 }), (value, size) => {
        const { bytes, parts } = pieces(value, size)
        assert.deepStrictEqual(Effect.runSync(parsedInSlices(parts)), JSON.parse(bytes.toString()))
      }),
      { numRuns: 20 }
    )
  })

  it.effect("keeps a field named __proto__ as a field", () =>
    Effect.gen(function* () {
      const { parts } = pieces(JSON.parse('{"__proto__":{"admin":true}}'), 5_000)
      const { value } = (yield* parsedInSlices(parts)) as { value: { admin?: boolean } }
      assert.deepStrictEqual([Object.keys(value), value.admin], [["__proto__"], undefined])
    })
  )

  it.live("lets other work run meanwhile", () =>
    Effect.gen(function* () {
      const list = Array.from({ length: 30_000 }, (_, id) => ({
        id: `wamid.${id}`,
        text: { body: "Where is my order?" }
      }))
      const { parts } = pieces(list, 100_000)
      let turns = 0
      const ticking = setInterval(() => turns++, 1)
      yield* parsedInSlices(parts)
      clearInterval(ticking)
      assert.isAbove(turns, 3)
    })
  )

  it.effect("is refused when it is not JSON, is cut off, or goes on after its end", () =>
    Effect.gen(function* () {
      const { bytes } = pieces([1, 2], 1_000)
      const wrong = [
        bytes.subarray(0, -1),
        Buffer.concat([bytes, Buffer.from("{}")]),
        Buffer.from(`${"x".repeat(300_000)}`),
        Buffer.from("{"),
        Buffer.from("")
      ]
      for (const one of wrong) assert.strictEqual((yield* Effect.flip(parsedInSlices([one])))._tag, "JsonInvalid")
    })
  )
})
