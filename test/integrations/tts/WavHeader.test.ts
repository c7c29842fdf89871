import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as fc from "fast-check"
import { wavHeader } from "../../../simulators/text-to-speech/WavHeader.ts"
import { stripHeader } from "../../../src/integrations/tts/WavHeader.ts"

/** What is left of `bytes` when they come in chunks of `size`. */
const stripped = (bytes: Uint8Array, size: number) => {
  const chunks: Array<Uint8Array> = []
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
  const run = Stream.runCollect(stripHeader(Stream.fromIterable(chunks)))
  return new Uint8Array(Buffer.concat(Effect.runSync(run)))
}

describe("stripHeader", () => {
  it("removes a header however the chunks are cut, and leaves raw audio alone", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 80 }), (audio, size) => {
        fc.pre(Buffer.from(audio.subarray(0, 4)).toString("latin1") !== "RIFF")
        assert.deepEqual(stripped(audio, size), audio)
        const withHeader = new Uint8Array(Buffer.concat([wavHeader(audio.length), audio]))
        assert.deepEqual(stripped(withHeader, size), audio)
      })
    )
  })

  it("is the same for each run of one stream", () => {
    const stream = stripHeader(Stream.make(wavHeader(2), new Uint8Array([1, 2])))
    for (let i = 0; i < 2; i++) {
      assert.deepEqual(Effect.runSync(Stream.runCollect(stream)), [new Uint8Array([1, 2])])
    }
  })
})
