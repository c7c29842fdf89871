/** Recordings as WAV files: 16-bit PCM, little-endian, one interleaved stream. */

/** Bytes of the header that `wavHeader` makes. The samples follow it to the end of the file. */
export const wavHeaderBytes = 44

/** The header of a WAV file with `dataBytes` bytes of samples at `sampleRate` Hz. */
export const wavHeader = (channels: number, sampleRate: number, dataBytes: number): Uint8Array => {
  const blockAlign = channels * 2
  const bytes = new Uint8Array(wavHeaderBytes)
  const view = new DataView(bytes.buffer)
  ascii(bytes, 0, "RIFF")
  view.setUint32(4, wavHeaderBytes - 8 + dataBytes, true)
  ascii(bytes, 8, "WAVEfmt ")
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, channels, true)
  view.setUint32(24, sampleRate, true)
  view.setUint32(28, sampleRate * blockAlign, true)
  view.setUint16(32, blockAlign, true)
  view.setUint16(34, 16, true)
  ascii(bytes, 36, "data")
  view.setUint32(40, dataBytes, true)
  return bytes
}

/** Mu-law samples at 8 kHz without a header → a WAV file that names this format, for players that get only an address. */
export const mulawWav = (audio: Uint8Array): Uint8Array => {
  const padding = audio.length % 2
  const bytes = new Uint8Array(58 + audio.length + padding)
  const view = new DataView(bytes.buffer)
  ascii(bytes, 0, "RIFF")
  view.setUint32(4, bytes.length - 8, true)
  ascii(bytes, 8, "WAVEfmt ")
  view.setUint32(16, 18, true)
  view.setUint16(20, 7, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, 8_000, true)
  view.setUint32(28, 8_000, true)
  view.setUint16(32, 1, true)
  view.setUint16(34, 8, true)
  ascii(bytes, 38, "fact")
  view.setUint32(42, 4, true)
  view.setUint32(46, audio.length, true)
  ascii(bytes, 50, "data")
  view.setUint32(54, audio.length, true)
  bytes.set(audio, 58)
  return bytes
}

/** Channels with one sample rate (Hz) → a WAV file. Shorter channels end in silence. */
export const encodeWav = (channels: ReadonlyArray<Int16Array>, sampleRate: number): Uint8Array => {
  const frames = channels.reduce((most, channel) => Math.max(most, channel.length), 0)
  const blockAlign = channels.length * 2
  const bytes = new Uint8Array(wavHeaderBytes + frames * blockAlign)
  bytes.set(wavHeader(channels.length, sampleRate, frames * blockAlign))
  const view = new DataView(bytes.buffer)
  channels.forEach((channel, index) => {
    let at = wavHeaderBytes + index * 2
    for (let i = 0; i < channel.length; i++, at += blockAlign) view.setInt16(at, channel[i], true)
  })
  return bytes
}

/** A 16-bit PCM WAV file → its channels. Throws a RangeError that says what is wrong with the file. */
export const decodeWav = (file: Uint8Array): { readonly channels: Array<Int16Array>; readonly sampleRate: number } => {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  if (file.length < 12 || text(file, 0) !== "RIFF" || text(file, 8) !== "WAVE") throw new RangeError("not a WAV file")
  let channelCount = 0
  let sampleRate = 0
  for (let at = 12; at + 8 <= file.length; ) {
    const size = view.getUint32(at + 4, true)
    const body = at + 8
    if (text(file, at) === "fmt ") {
      if (body + 16 > file.length) throw new RangeError("WAV format chunk is cut off")
      if (view.getUint16(body, true) !== 1 || view.getUint16(body + 14, true) !== 16) {
        throw new RangeError("only 16-bit PCM WAV is supported")
      }
      channelCount = view.getUint16(body + 2, true)
      sampleRate = view.getUint32(body + 4, true)
    } else if (text(file, at) === "data") {
      if (channelCount === 0) throw new RangeError("WAV data comes before its format")
      const frames = Math.floor(Math.min(size, file.length - body) / (channelCount * 2))
      const channels = Array.from({ length: channelCount }, (_, channel) =>
        Int16Array.from({ length: frames }, (_, i) => view.getInt16(body + (i * channelCount + channel) * 2, true))
      )
      return { channels, sampleRate }
    }
    // Chunks are padded to an even length.
    at = body + size + (size % 2)
  }
  throw new RangeError("WAV file without data")
}

const ascii = (bytes: Uint8Array, at: number, value: string): void => {
  for (let i = 0; i < value.length; i++) bytes[at + i] = value.charCodeAt(i)
}

const text = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4))
