/** Voice messages as telephones record them: Opus in Ogg (RFC 7845), one page a second. */
import { createRequire } from "node:module"
import type OpusScriptClass from "opusscript"
import type { Spoken } from "./Voice.ts"

const OpusScript = createRequire(import.meta.url)("opusscript") as typeof OpusScriptClass

const rate = 16_000
const frame = rate / 50
const granulesAFrame = 960
const preSkip = 312
const serial = 0x50415259

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0)
  return value
})
const crcOf = (page: Uint8Array): number =>
  page.reduce((crc, byte) => ((crc << 8) ^ crcTable[((crc >>> 24) ^ byte) & 255]) >>> 0, 0)

const lacing = (length: number) => [...Array<number>(Math.floor(length / 255)).fill(255), length % 255]

/** Puts packets into pages: the head, the tags, then at most `packetsAPage` packets a page. Packets are shorter than 64 KB. */
export const oggPages = (packets: ReadonlyArray<Uint8Array>, packetsAPage = 50): Buffer => {
  const groups = [packets.slice(0, 1), packets.slice(1, 2)]
  for (let at = 2; at < packets.length; at += packetsAPage) groups.push(packets.slice(at, at + packetsAPage))
  let granules = 0
  return Buffer.concat(
    groups.map((group, sequence) => {
      if (sequence > 1) granules += group.length * granulesAFrame
      const segments = group.flatMap(({ length }) => lacing(length))
      const head = Buffer.alloc(27)
      head.write("OggS")
      head[5] = (sequence === 0 ? 2 : 0) | (sequence === groups.length - 1 ? 4 : 0)
      head.writeBigInt64LE(BigInt(granules), 6)
      head.writeUInt32LE(serial, 14)
      head.writeUInt32LE(sequence, 18)
      head[26] = segments.length
      const page = Buffer.concat([head, Buffer.from(segments), ...group])
      page.writeUInt32LE(crcOf(page), 22)
      return page
    })
  )
}

export const opusHead = (channels = 1): Buffer => {
  const head = Buffer.alloc(19)
  head.write("OpusHead")
  head[8] = 1
  head[9] = channels
  head.writeUInt16LE(preSkip, 10)
  head.writeUInt32LE(rate, 12)
  return head
}

export const opusTags = (): Buffer => {
  const tags = Buffer.alloc(16 + 6)
  tags.write("OpusTags")
  tags.writeUInt32LE(6, 8)
  tags.write("parley", 12)
  return tags
}

/** The samples of an utterance at 16 kHz. */
const doubled = ({ samples }: Spoken): Int16Array =>
  Int16Array.from({ length: 2 * samples.length }, (_, at) => {
    const before = samples[at >> 1]
    return at % 2 === 0 ? before : Math.round((before + (samples[(at >> 1) + 1] ?? 0)) / 2)
  })

/** A file as a telephone makes it of these utterances, one after the other with a pause of half a second. */
export const voiceNote = (...said: ReadonlyArray<Spoken>): Buffer => {
  const encoder = new OpusScript(rate, 1, OpusScript.Application.VOIP)
  encoder.setBitrate(24_000)
  const pause = new Int16Array(rate / 2)
  const samples = Buffer.concat(
    said
      .flatMap((spoken) => [doubled(spoken), pause])
      .map(({ buffer, byteLength }) => Buffer.from(buffer, 0, byteLength))
  )
  const packets: Array<Uint8Array> = []
  for (let at = 0; at < samples.length; at += 2 * frame) {
    const piece = Buffer.alloc(2 * frame)
    samples.copy(piece, 0, at)
    packets.push(Uint8Array.from(encoder.encode(piece, frame)))
  }
  encoder.delete()
  return oggPages([opusHead(), opusTags(), ...packets])
}
