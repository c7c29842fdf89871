/** Reads the files of a ZIP archive, by name, and checks their checksums. */
import { crc32, inflateRawSync } from "node:zlib"

export const unzipped = (archive: Buffer): Map<string, Buffer> => {
  const files = new Map<string, Buffer>()
  const end = archive.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"))
  if (end < 0) throw new Error("no ZIP archive")
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [method, sum, packed] = [
      archive.readUInt16LE(at + 10),
      archive.readUInt32LE(at + 16),
      archive.readUInt32LE(at + 20)
    ]
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset))
    const header = archive.readUInt32LE(at + 42)
    const name = archive.toString("utf8", at + 46, at + 46 + nameBytes)
    const data = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28)
    const raw = archive.subarray(data, data + packed)
    const content = method === 0 ? raw : inflateRawSync(raw)
    if (crc32(content) !== sum) throw new Error(`${name} is damaged`)
    files.set(name, content)
    at += 46 + nameBytes + extraBytes + commentBytes
  }
  return files
}
