import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { wavHeader } from "../../../simulators/voice/WavHeader.ts"
import { WavHeaderStripper } from "../../../src/integrations/tts/WavHeaderStripper.ts"

/** The bytes that remain when `bytes` come in chunks of `size`. */
const stripped = (bytes: Uint8Array, size: number) => {
  const header = new WavHeaderStripper()
  const chunks: Array<Uint8Array> = []
  for (let at = 0; at < bytes.length; at += size) chunks.push(header.push(bytes.subarray(at, at + size)))
  return new Uint8Array(Buffer.concat([...chunks, header.end()]))
}

describe("HeaderStripper", () => {
  it("removes a header however the chunks are cut, and leaves raw audio alone", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 80 }), (audio, size) => {
        fc.pre(Buffer.from(audio.subarray(0, 4)).toString("latin1") !== "RIFF")
        assert.deepEqual(stripped(audio, size), audio)
        const withHeader = new Uint8Array(Buffer.concat([wavHeader("mulaw", audio.length), audio]))
        assert.deepEqual(stripped(withHeader, size), audio)
      })
    )
  })
})
