/** Reads WAV files as the provider accepts them (mu-law, 8 kHz, mono), and writes them as it sends them (16-bit PCM, 8 kHz, mono). */
import { wavHeader } from "../voice/WavHeader.ts"
import { decode } from "./Mulaw.ts"

/** The mu-law of a `<Play>`ed file. Throws with the provider's error number when the file cannot be played. */
export const readMulaw = (file: Buffer): Uint8Array => {
  const unplayable = (why: string) => new Error(`12300: the file of <Play> cannot be played: ${why}`)
  if (file.toString("latin1", 0, 4) !== "RIFF" || file.toString("latin1", 8, 12) !== "WAVE") throw unplayable("no WAV")
  if (file.readUInt32LE(4) !== file.length - 8) throw unplayable("its length is wrong")
  let format = ""
  for (let at = 12; at + 8 <= file.length; ) {
    const size = file.readUInt32LE(at + 4)
    const name = file.toString("latin1", at, at + 4)
    if (name === "fmt ")
      format = [file.readUInt16LE(at + 8), file.readUInt16LE(at + 10), file.readUInt32LE(at + 12)].join("/")
    if (name === "data") {
      if (format !== "7/1/8000") throw unplayable(`its format is ${format}`)
      return file.subarray(at + 8, at + 8 + size)
    }
    at += 8 + size + (size % 2)
  }
  throw unplayable("no audio")
}

/** Mu-law as the WAV file of a recording. */
export const writePcm = (mulaw: Uint8Array): Buffer => {
  const samples = Buffer.alloc(mulaw.length * 2)
  decode(mulaw).forEach((sample, index) => {
    samples.writeInt16LE(sample, index * 2)
  })
  return Buffer.concat([wavHeader("pcm", samples.length), samples])
}
