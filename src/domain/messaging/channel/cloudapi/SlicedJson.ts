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

/** Levels of nested objects and lists: many more than the channel sends. What works on the value, here and in the database, does so by recursion. */
const deepest = 100

/** The bytes are not JSON, or are nested too deeply. */
export class JsonInvalid extends Schema.TaggedError<JsonInvalid>()("JsonInvalid", {}) {}

const decoder = new TextDecoder()

const [quote, backslash, openList, closeList, openObject, closeObject] = Buffer.from('"\\[]{}')

/** Follows the nesting of a JSON text from chunk to chunk, without parsing it. */
const makeDepth = () => {
  let depth = 0
  let inText = false
  let escaped = false
  /** Whether the text stays within `deepest` levels up to the end of these bytes. */
  return (bytes: Uint8Array): boolean => {
    for (const byte of bytes) {
      if (escaped) escaped = false
      else if (inText) {
        if (byte === quote) inText = false
        else if (byte === backslash) escaped = true
      } else if (byte === quote) inText = true
      else if (byte === openList || byte === openObject) {
        if (++depth > deepest) return false
      } else if (byte === closeList || byte === closeObject) depth--
    }
    return true
  }
}

const parsedAtOnce = (bytes: Uint8Array): Effect.Effect<unknown, JsonInvalid> => {
  const value = makeDepth()(bytes) ? parsedJson(decoder.decode(bytes)) : undefined
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
  const within = makeDepth()
  let began = performance.now()
  for (const chunk of chunks)
    for (let at = 0; at < chunk.byteLength && !failed; at += sliceBytes) {
      const slice = chunk.subarray(at, at + sliceBytes)
      if (!within(slice)) return yield* new JsonInvalid()
      parser.write(slice)
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
