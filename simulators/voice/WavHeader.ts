/** Writes headers of WAV files as providers do: 8 kHz, mono. It does not use `src/domain/basics/Wav.ts`, which must read them. */

const rate = 8_000
const formats = { pcm: { tag: 1, bytesPerSample: 2 }, mulaw: { tag: 7, bytesPerSample: 1 } } as const

const chunk = (name: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.write(name, 0)
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

const formatOf = (encoding: keyof typeof formats): Buffer => {
  const { tag, bytesPerSample } = formats[encoding]
  // Formats other than PCM have a field for the size of the format extension, which is 0.
  const body = Buffer.alloc(encoding === "pcm" ? 16 : 18)
  body.writeUInt16LE(tag, 0)
  body.writeUInt16LE(1, 2)
  body.writeUInt32LE(rate, 4)
  body.writeUInt32LE(rate * bytesPerSample, 8)
  body.writeUInt16LE(bytesPerSample, 12)
  body.writeUInt16LE(bytesPerSample * 8, 14)
  return body
}

/** The header of a file with `dataBytes` of samples. A mu-law header has a `LIST` chunk, as some encoders write it. */
export const wavHeader = (encoding: keyof typeof formats, dataBytes: number): Buffer => {
  const chunks = [
    chunk("fmt ", formatOf(encoding)),
    ...(encoding === "mulaw" ? [chunk("LIST", Buffer.from("INFO"))] : [])
  ]
  const data = Buffer.alloc(8)
  data.write("data", 0)
  data.writeUInt32LE(dataBytes, 4)
  const rest = Buffer.concat([Buffer.from("WAVE"), ...chunks, data])
  const riff = Buffer.alloc(8)
  riff.write("RIFF", 0)
  riff.writeUInt32LE(rest.length + dataBytes, 4)
  return Buffer.concat([riff, rest])
}
