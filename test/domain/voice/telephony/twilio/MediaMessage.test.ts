import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { MediaWriter, readFrame } from "../../../../../src/domain/voice/telephony/twilio/MediaMessage.ts"

const frame = fc.uint8Array({ minLength: 160, maxLength: 160 })
const number = (most: number) => fc.integer({ min: 0, max: most })

/** A message as a provider sends it: the stream's name stands in one of two places, or is missing. */
const message = fc
  .record({
    audio: frame,
    sequence: number(9_999_999_999),
    chunk: number(9_999_999_999),
    timestampMs: number(999_999_999),
    place: fc.constantFrom("early", "late", "nowhere")
  })
  .map(({ audio, sequence, chunk, timestampMs, place }) => {
    const payload = Buffer.from(audio).toString("base64")
    const media = { track: "inbound", chunk: `${chunk}`, timestamp: `${timestampMs}`, payload }
    const streamSid = "MZ_09azAZ"
    const text = JSON.stringify({
      event: "media",
      sequenceNumber: `${sequence}`,
      ...(place === "early" ? { streamSid } : {}),
      media,
      ...(place === "late" ? { streamSid } : {})
    })
    return { audio, timestampMs, text }
  })

const bytesOf = (text: string) => new TextEncoder().encode(text)
const read = (bytes: Uint8Array) => {
  const audio = new Uint8Array(160)
  return { timestampMs: readFrame(bytes, audio), audio }
}

/** The content of a media message as a JSON parser reads it. */
const parsed = (bytes: Uint8Array) => {
  const { event, media } = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  return { event, timestampMs: Number(media.timestamp), audio: new Uint8Array(Buffer.from(media.payload, "base64")) }
}

describe("media messages", () => {
  it("are read as the provider sends them", () => {
    fc.assert(
      fc.property(message, ({ text, audio, timestampMs }) => {
        expect(read(bytesOf(text))).toEqual({ timestampMs, audio })
      })
    )
  })

  it("that are damaged anywhere are left to the JSON parser, or read as the JSON parser reads them", () => {
    const damage = fc.record({ at: fc.nat(), byte: fc.nat(255), kind: fc.constantFrom("change", "cut", "add") })
    fc.assert(
      fc.property(message, damage, ({ text }, { at, byte, kind }) => {
        const whole = bytesOf(text)
        const place = at % whole.length
        const rest = whole.subarray(kind === "add" ? place : place + 1)
        const bytes =
          kind === "cut" ? whole.subarray(0, place) : Uint8Array.of(...whole.subarray(0, place), byte, ...rest)
        const result = read(bytes)
        if (result.timestampMs >= 0) expect({ event: "media", ...result }).toEqual(parsed(bytes))
      }),
      { numRuns: 2_000 }
    )
  })

  it("of another size, track or kind are left to the JSON parser", () => {
    const [{ text }] = fc.sample(message, { numRuns: 1, seed: 1 })
    const others = [
      text.replace('"inbound"', '"outbound"'),
      text.replace('"media"', '"mark"'),
      text.replace(/"payload":"..../, '"payload":"'),
      text.replace('"payload":"', '"payload":"AAAA'),
      text.replace(/"timestamp":"\d+"/, '"timestamp":"1234567890"'),
      ` ${text}`,
      `${text} `,
      ""
    ]
    for (const other of others) expect(read(bytesOf(other)).timestampMs).toBe(-1)
  })

  it("are written so that JSON reads the frame and the name of the stream, whatever that is", () => {
    fc.assert(
      fc.property(fc.string(), fc.array(frame, { minLength: 1, maxLength: 3 }), (streamSid, frames) => {
        const writer = new MediaWriter(streamSid)
        for (const audio of frames)
          expect(JSON.parse(new TextDecoder().decode(writer.write(audio)))).toEqual({
            event: "media",
            streamSid,
            media: { payload: Buffer.from(audio).toString("base64") }
          })
      })
    )
  })
})
