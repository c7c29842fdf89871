/**
 * A watermark in the audio: the lowest bit of the first samples of each 20 ms mu-law frame carries the caller, the utterance and the frame's place
 * in it. It is inaudible, and survives as long as the audio is unchanged. So the receiver of a frame knows whose it is, and whether frames were
 * lost, repeated or sent to the wrong call.
 */
import { encodeInto } from "../../src/audio/frames/Mulaw.ts"

export const frameBytes = 160

/** What a frame says of itself. One object is used again and again: it is read 50 times a second for each call. */
export interface Mark {
  /** 1 to 65,534; 0 for what all callers hear alike. */
  caller: number
  /** 0 to 65,535. */
  utterance: number
  /** Place of the frame in its utterance, and how many frames that has; both below 4,096. */
  index: number
  total: number
}

const magic = 0xa5
const bits = 80

/** Of 16 bits: in frames that an agent says more softly all bits are by chance, and a long run has thousands of them. */
const checksum = ({ caller, utterance, index, total }: Mark): number =>
  (Math.imul(caller, 40_503) ^ Math.imul(utterance, 30_011) ^ Math.imul(index, 5_003) ^ Math.imul(total, 977)) & 0xffff

const put = (frame: Uint8Array, at: number, value: number, width: number): number => {
  for (let bit = 0; bit < width; bit++) frame[at + bit] = (frame[at + bit] & 0xfe) | ((value >> bit) & 1)
  return at + width
}

const take = (frame: Uint8Array, at: number, width: number): number => {
  let value = 0
  for (let bit = 0; bit < width; bit++) value |= (frame[at + bit] & 1) << bit
  return value
}

/** Writes `mark` into the frame that begins at `at`. */
export const stamp = (bytes: Uint8Array, at: number, mark: Mark): void => {
  let next = put(bytes, at, magic, 8)
  next = put(bytes, next, mark.caller, 16)
  next = put(bytes, next, mark.utterance, 16)
  next = put(bytes, next, mark.index, 12)
  next = put(bytes, next, mark.total, 12)
  put(bytes, next, checksum(mark), 16)
}

/** Reads the mark of the frame at `at` into `mark`; false when it carries none. */
export const readMark = (bytes: Uint8Array, at: number, mark: Mark): boolean => {
  if (take(bytes, at, 8) !== magic) return false
  mark.caller = take(bytes, at + 8, 16)
  mark.utterance = take(bytes, at + 24, 16)
  mark.index = take(bytes, at + 40, 12)
  mark.total = take(bytes, at + 52, 12)
  return take(bytes, at + 64, 16) === checksum(mark)
}

const scratch = new Uint8Array(bits)

/** The same for 160 samples from `at` on. */
export const readSampleMark = (samples: Int16Array, at: number, mark: Mark): boolean => {
  encodeInto(samples.subarray(at, at + bits), scratch)
  return readMark(scratch, 0, mark)
}

export const newMark = (): Mark => ({ caller: 0, utterance: 0, index: 0, total: 0 })
