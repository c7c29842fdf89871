/** Finds the packets of an Ogg Opus file (RFC 3533, RFC 7845), the form in which telephones send voice messages. Pure. */

export interface OggOpus {
  readonly channels: 1 | 2
  /** Samples at 48 kHz that the decoder gives before the recording begins. */
  readonly preSkip: number
  /** What the samples are multiplied by. */
  readonly gain: number
  readonly packets: ReadonlyArray<Uint8Array>
}

/** The file is no Ogg Opus file that we read. */
export class NoOggOpus extends Error {}

const pageHead = 27
const ascii = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length))

/** The packets of the first stream in the file. What comes after damage is left out, as a player does. */
const packetsOf = (bytes: Uint8Array): ReadonlyArray<Uint8Array> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const packets: Array<Uint8Array> = []
  let pieces: Array<Uint8Array> = []
  let stream: number | undefined
  for (let at = 0; at + pageHead <= bytes.length && ascii(bytes, at, 4) === "OggS"; ) {
    const serial = view.getUint32(at + 14, true)
    const continued = (bytes[at + 5] & 1) === 1
    const segments = bytes.subarray(at + pageHead, at + pageHead + bytes[at + 26])
    let from = at + pageHead + segments.length
    let to = from
    const isOurs = stream === undefined || serial === stream
    if (isOurs && !continued) pieces = []
    stream ??= serial
    // A page that continues a packet whose begin is lost.
    let lost = continued && pieces.length === 0
    for (const segment of segments) {
      to += segment
      if (segment === 255) continue
      if (isOurs && to <= bytes.length) {
        if (!lost) packets.push(Buffer.concat([...pieces, bytes.subarray(from, to)]))
        pieces = []
        lost = false
      }
      from = to
    }
    if (isOurs && to > from && to <= bytes.length && !lost) pieces.push(bytes.subarray(from, to))
    at = to
  }
  return packets
}

/** Throws `NoOggOpus` for everything else, also for more than two channels. */
export const readOggOpus = (bytes: Uint8Array): OggOpus => {
  const [head, tags, ...packets] = packetsOf(bytes)
  if (head === undefined || tags === undefined || head.length < 19 || ascii(head, 0, 8) !== "OpusHead")
    throw new NoOggOpus("no Opus in Ogg")
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const [version, channels, family] = [head[8], head[9], head[18]]
  if (version > 15 || family !== 0 || (channels !== 1 && channels !== 2)) throw new NoOggOpus("an unknown form of Opus")
  return {
    channels,
    preSkip: view.getUint16(10, true),
    gain: 10 ** (view.getInt16(16, true) / (20 * 256)),
    packets: packets.filter(({ length }) => length > 0)
  }
}
