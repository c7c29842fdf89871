/** Small complete files of every kind that messages carry, and of some that they do not. `mark` makes files of one kind differ. */
import sharp from "sharp"
import { ZipFile } from "yazl"

const ascii = (text: string) => Buffer.from(text, "latin1")

/** A picture of `width` × `height` pixels of noise, which does not compress. */
const picture = (width: number, height: number, mark: number) => {
  const pixels = Buffer.alloc(width * height * 3)
  for (let at = 0, seed = mark * 7_919 + 1; at < pixels.length; at++) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    pixels[at] = seed >>> 24
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

export const png = (mark = 0, side = 16): Promise<Buffer> => picture(side, side, mark).png().toBuffer()
export const jpeg = (mark = 0, side = 16): Promise<Buffer> =>
  picture(side, side, mark).jpeg({ quality: 100 }).toBuffer()
export const webp = (mark = 0, side = 16): Promise<Buffer> => picture(side, side, mark).webp({ quality: 90 }).toBuffer()
export const gif = (mark = 0): Promise<Buffer> => picture(16, 16, mark).gif().toBuffer()

export const pdf = (mark = 0): Buffer =>
  ascii(`%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/Mark ${mark}>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`)

const zip = async (files: Readonly<Record<string, string>>): Promise<Buffer> => {
  const archive = new ZipFile()
  for (const [name, text] of Object.entries(files)) archive.addBuffer(Buffer.from(text), name, { compress: false })
  archive.end()
  const chunks: Array<Buffer> = []
  for await (const chunk of archive.outputStream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

const office = (part: string, type: string, mark: number) =>
  zip({
    "[Content_Types].xml":
      `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
      `<Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
    [part]: `<x mark="${mark}"/>`
  })
export const docx = (mark = 0): Promise<Buffer> => office("word/document.xml", "wordprocessingml.document", mark)
export const xlsx = (mark = 0): Promise<Buffer> => office("xl/workbook.xml", "spreadsheetml.sheet", mark)
export const plainZip = (mark = 0): Promise<Buffer> => zip({ "a.txt": `${mark}` })

/** Frames of MPEG-1 layer 3, 128 kbit/s at 44.1 kHz, after an ID3 tag. */
export const mp3 = (mark = 0): Buffer => {
  const frame = Buffer.alloc(417, mark & 0x7f)
  frame.set([0xff, 0xfb, 0x90, 0x00])
  return Buffer.concat([ascii("ID3\x03\x00\x00\x00\x00\x00\x00"), frame, frame, frame])
}

/** One page of Ogg with the head of an Opus stream: a voice note. */
export const ogg = (mark = 0): Buffer => {
  const head = Buffer.concat([ascii("OpusHead\x01\x01"), Buffer.from([0, 0, 0x80, 0xbb, 0, 0, 0, 0, mark & 0xff])])
  const page = Buffer.alloc(28)
  page.write("OggS\x00\x02", "latin1")
  page[26] = 1
  page[27] = head.length
  return Buffer.concat([page, head])
}

const box = (type: string, content: Buffer) => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.length)
  head.write(type, 4, "latin1")
  return Buffer.concat([head, content])
}
export const mp4 = (mark = 0): Buffer =>
  Buffer.concat([box("ftyp", ascii("isom\x00\x00\x02\x00isomiso2avc1mp41")), box("free", Buffer.from([mark & 0xff]))])
export const amr = (mark = 0): Buffer => Buffer.concat([ascii("#!AMR\n"), Buffer.from([mark & 0xff])])
export const html = (mark = 0): Buffer => ascii(`<!DOCTYPE html><script>alert(${mark})</script>`)

/** The files that can be uploaded, by MIME type. */
export const sendable: Readonly<Record<string, (mark?: number) => Buffer | Promise<Buffer>>> = {
  "image/jpeg": jpeg,
  "image/png": png,
  "image/webp": webp,
  "application/pdf": pdf,
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": docx,
  "audio/mpeg": mp3,
  "audio/ogg": ogg,
  "video/mp4": mp4
}
