/** Providers promise headerless audio; some were seen to send a WAV header all the same. It would be heard as a click. */
import { Effect, Stream } from "effect"

const maxHeaderBytes = 4_096
const none = new Uint8Array(0)

const ascii = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))

/** Where the audio starts: 0 without a header, `undefined` when more bytes are needed to tell. */
const audioStart = (bytes: Uint8Array): number | undefined => {
  if (bytes.length < 4) return undefined
  if (ascii(bytes, 0) !== "RIFF") return 0
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 12
  while (at + 8 <= bytes.length) {
    if (ascii(bytes, at) === "data") return at + 8
    const size = view.getUint32(at + 4, true)
    at += 8 + size + (size % 2)
  }
  return bytes.length > maxHeaderBytes ? 0 : undefined
}

/** Removes a RIFF header from the start of a stream of bytes, however the chunks are cut. Other streams pass unchanged. */
export const stripHeader = <E, R>(audio: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E, R> =>
  Stream.unwrap(
    Effect.sync(() => {
      let held: Uint8Array | undefined = none
      const pass = (chunk: Uint8Array): Uint8Array => {
        if (held === undefined) return chunk
        const bytes: Uint8Array = held.length === 0 ? chunk : Buffer.concat([held, chunk])
        const start = audioStart(bytes)
        held = start === undefined ? bytes : undefined
        return start === undefined ? none : bytes.subarray(start)
      }
      const tooShortToTell = Stream.suspend(() => Stream.succeed(held ?? none))
      return audio.pipe(
        Stream.map(pass),
        Stream.concat(tooShortToTell),
        Stream.filter((chunk) => chunk.length > 0)
      )
    })
  )
