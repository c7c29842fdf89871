/** Removes WAV headers from audio. Providers promise headerless audio, but some send a header, which would be heard as a click. */

const maxHeaderBytes = 4_096
const none = new Uint8Array(0)

const ascii = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))

/** The offset at which the audio starts: 0 without a header, `undefined` when more bytes are needed to know. */
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

/** Removes a RIFF header from the start of a stream, however the pieces are cut. Audio without a header passes unchanged. */
export class WavHeaderStripper {
  /** The bytes so far, until it is known whether they begin with a header. */
  #held: Uint8Array | undefined = none

  /** The audio in the next piece, possibly none. */
  push(piece: Uint8Array): Uint8Array {
    if (this.#held === undefined) return piece
    const bytes: Uint8Array = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece])
    const start = audioStart(bytes)
    this.#held = start === undefined ? bytes : undefined
    return start === undefined ? none : bytes.subarray(start)
  }

  /** The stream has ended: bytes that were too few to decide count as audio. */
  end(): Uint8Array {
    const rest = this.#held ?? none
    this.#held = undefined
    return rest
  }
}
