/** How large a ZIP is when it is unpacked. It is really unpacked, entry by entry: what a ZIP says about itself may be a lie. */
import { inflateRawSync } from "node:zlib"

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const mostEntries = 5_000
const longestEnd = 65_557

const endOf = (zip: Buffer): number => {
  for (let at = zip.length - 22; at >= Math.max(0, zip.length - longestEnd); at--)
    if (zip.readUInt32LE(at) === endSignature) return at
  return -1
}

const inflatedEntry = (zip: Buffer, at: number, most: number): number => {
  const method = zip.readUInt16LE(at + 10)
  const packed = zip.readUInt32LE(at + 20)
  const local = zip.readUInt32LE(at + 42)
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  if (method === 0) return packed
  return inflateRawSync(zip.subarray(start, start + packed), { maxOutputLength: most }).length
}

/** Bytes; undefined when it is damaged, or unpacks to more than `most`. */
export const inflatedSize = (bytes: Uint8Array, most: number): number | undefined => {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endOf(zip)
  if (end < 0) return undefined
  try {
    let at = zip.readUInt32LE(end + 16)
    let size = 0
    const entries = zip.readUInt16LE(end + 10)
    if (entries > mostEntries) return undefined
    for (let entry = 0; entry < entries; entry++) {
      if (zip.readUInt32LE(at) !== entrySignature) return undefined
      size += inflatedEntry(zip, at, most - size)
      if (size > most) return undefined
      at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
    }
    return size
  } catch {
    // An entry lies outside of the file, is damaged, or unpacks to too much.
    return undefined
  }
}
