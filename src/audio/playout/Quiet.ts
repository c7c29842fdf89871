/** Where speech can be cut inaudibly: between words, or where a word is softest. */
import { FRAME_BYTES } from "../frames/Frame.ts"

/** A place further away must be this much quieter to be preferred. */
const CLEARLY = 0.8
const STEP = FRAME_BYTES / 4

/** Mu-law bytes count down from the loudest; seven bits are the magnitude, nearly in decibels. */
const levelAt = (mulaw: Uint8Array, start: number): number => {
  let level = 0
  for (let i = start; i < start + FRAME_BYTES; i++) level += ~mulaw[i] & 0x7f
  return level
}

/** Where in `mulaw` the quietest 20 ms begin, in bytes. Among equally quiet places the latest one. */
export const quietestFrame = (mulaw: Uint8Array): number => {
  const last = Math.max(0, mulaw.length - FRAME_BYTES)
  let quietest = last
  let level = levelAt(mulaw, last)
  for (let start = last - STEP; start >= 0; start -= STEP) {
    const candidate = levelAt(mulaw, start)
    if (candidate >= level * CLEARLY) continue
    quietest = start
    level = candidate
  }
  return quietest
}
