/** The checks of a stream's messages are written by hand. They take what a schema of the same message takes, and nothing else. */
import { Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  isDtmf,
  isMark,
  isMedia,
  isNamed,
  isStart,
  parseMessage
} from "../../../src/http/media-stream/MediaStreamMessages.ts"

const Start = Schema.Struct({
  streamSid: Schema.String,
  start: Schema.Struct({
    accountSid: Schema.String,
    callSid: Schema.String,
    mediaFormat: Schema.Struct({ encoding: Schema.Literal("audio/x-mulaw"), sampleRate: Schema.Literal(8000) }),
    customParameters: Schema.Struct({ callId: Schema.String, token: Schema.String })
  })
})
const Named = Schema.Struct({ streamSid: Schema.NonEmptyString.check(Schema.isMaxLength(64)) })
const Mark = Schema.Struct({ mark: Schema.Struct({ name: Schema.String.check(Schema.isMaxLength(64)) }) })
const Dtmf = Schema.Struct({ dtmf: Schema.Struct({ digit: Schema.String.check(Schema.isPattern(/^[0-9*#A-D]$/)) }) })
const Media = Schema.Struct({
  media: Schema.Struct({
    payload: Schema.String.check(Schema.isMaxLength(10_668)),
    timestamp: Schema.String.check(Schema.isPattern(/^\d{1,9}$/))
  })
})

const right = {
  event: "start",
  streamSid: "MZ1",
  start: {
    accountSid: "AC1",
    callSid: "CA1",
    mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 },
    customParameters: { callId: "call_1", token: "t" }
  },
  mark: { name: "g1:2" },
  dtmf: { digit: "5" },
  media: { payload: "//8=", timestamp: "20" }
}

/** A message that is right but for one value somewhere in it. */
const mutated = fc
  .tuple(
    fc.constantFrom(...paths(right)),
    fc.oneof(
      fc.jsonValue(),
      fc.constantFrom("", "x".repeat(64), "x".repeat(65), "x".repeat(20_000), "A", "12", "-1", null)
    )
  )
  .map(([path, value]) => changed(right, path, value))

function paths(value: object, before: ReadonlyArray<string> = []): Array<ReadonlyArray<string>> {
  return Object.entries(value).flatMap(([key, inner]) => [
    [...before, key],
    ...(typeof inner === "object" && inner !== null ? paths(inner, [...before, key]) : [])
  ])
}
function changed(value: object, [key, ...rest]: ReadonlyArray<string>, to: unknown): object {
  const inner: unknown = Reflect.get(value, key)
  const next = rest.length === 0 || typeof inner !== "object" || inner === null ? to : changed(inner, rest, to)
  return { ...value, [key]: next }
}

describe("the messages of a media stream", () => {
  it.each([
    ["start", isStart, Schema.is(Start)],
    ["named", isNamed, Schema.is(Named)],
    ["mark", isMark, Schema.is(Mark)],
    ["dtmf", isDtmf, Schema.is(Dtmf)],
    ["media", isMedia, Schema.is(Media)]
  ])("are checked as a schema of %s would", (_, ours, theirs) => {
    expect(ours(right)).toBe(true)
    fc.assert(
      fc.property(fc.oneof(mutated, fc.object()), (message) => ours(message) === theirs(message)),
      { numRuns: 500 }
    )
  })

  it("are objects with an event; nothing else is read", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const message = parseMessage(text)
        if (message !== undefined) expect(message).toHaveProperty("event")
      })
    )
    expect(parseMessage('{"event":"stop"}')).toEqual({ event: "stop" })
    for (const text of ["", "null", "[]", '"event"', "{}", "{"]) expect(parseMessage(text)).toBeUndefined()
  })
})
