/**
 * Parses large JSON without holding up the thread. `JSON.parse` takes some 6 ms for each megabyte, during which no frame of a call is sent; here other
 * work may run after each slice. It takes three to five times as long in all, so small texts are parsed at once.
 */
import { JSONParser } from "@streamparser/json"
import { Effect, Schema } from "effect"
import { parsedJson } from "../../../basics/Json.ts"

/** Up to this size a text is parsed at once: some 2 ms. */
const atOnceBytes = 256 * 1024
/** The parser takes less than 1 ms for a slice. */
const sliceBytes = 8 * 1024
/** Other work may run when the parser has taken this long, in milliseconds. */
const turnMs = 1.5

/** The bytes are not JSON. */
export class JsonInvalid extends Schema.TaggedError<JsonInvalid>()("JsonInvalid", {}) {}

const decoder = new TextDecoder()

const parsedAtOnce = (bytes: Uint8Array): Effect.Effect<unknown, JsonInvalid> => {
  const value = parsedJson(decoder.decode(bytes))
  return value === undefined ? Effect.fail(new JsonInvalid()) : Effect.succeed(value)
}

const parsedInTurns = Effect.fnUntraced(function* (chunks: ReadonlyArray<Uint8Array>) {
  const values: Array<unknown> = []
  const parser = new JSONParser({ paths: ["$"], keepStack: false })
  parser.onValue = ({ value }) => void values.push(value)
  let failed = false
  // Without this the parser throws, at any later time too.
  parser.onError = () => {
    failed = true
  }
  let began = performance.now()
  for (const chunk of chunks)
    for (let at = 0; at < chunk.byteLength && !failed; at += sliceBytes) {
      parser.write(chunk.subarray(at, at + sliceBytes))
      if (performance.now() - began < turnMs) continue
      yield* Effect.yieldNow
      began = performance.now()
    }
  return failed || values.length !== 1 ? yield* new JsonInvalid() : values[0]
})

/** The value of a JSON text, which is the bytes of the chunks in their order, in UTF-8. */
export const parsedInSlices = (chunks: ReadonlyArray<Uint8Array>): Effect.Effect<unknown, JsonInvalid> => {
  const size = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0)
  if (size > atOnceBytes) return parsedInTurns(chunks)
  return parsedAtOnce(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
}
