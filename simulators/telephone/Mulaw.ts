/** G.711 mu-law, written independently of the product's own, so that neither hides the other's mistakes. */
import { Buffer } from "node:buffer"

/** What a quiet line carries: mu-law zero. */
export const silence = 0xff
export const frameBytes = 160
export const frameMs = 20

/** Sample value of each mu-law byte, -32124..32124. */
export const decodeTable: Int16Array = Int16Array.from({ length: 256 }, (_, byte) => {
  const inverted = ~byte & 0xff
  const magnitude = ((((inverted & 0x0f) << 3) + 0x84) << ((inverted & 0x70) >> 4)) - 0x84
  return (inverted & 0x80) === 0 ? magnitude : -magnitude
})

export const encodeSample = (sample: number): number => {
  const magnitude = Math.min(Math.abs(sample), 32_635) + 0x84
  const exponent = 31 - Math.clz32(magnitude >> 7)
  const byte = (sample < 0 ? 0x80 : 0) | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)
  return ~byte & 0xff
}

/** 8 kHz samples to mu-law bytes. */
export const encode = (samples: Int16Array): Uint8Array => Uint8Array.from(samples, encodeSample)

/** Mu-law bytes to 8 kHz samples. */
export const decode = (mulaw: Uint8Array): Int16Array => Int16Array.from(mulaw, (byte) => decodeTable[byte])

/** A sample at least this far from zero is voice or another sound, not line noise. */
export const voicedLevel = 300

/** Index of the first voiced sample, -1 when there is none. */
export const firstVoiced = (mulaw: Uint8Array): number =>
  mulaw.findIndex((byte) => Math.abs(decodeTable[byte]) > voicedLevel)

/** Whether a person would call these 20 ms sound. */
export const audible = (heard: Uint8Array, at: number): boolean => {
  for (let i = at; i < at + frameBytes; i++) {
    const sample = decodeTable[heard[i]]
    if (sample > voicedLevel || sample < -voicedLevel) return true
  }
  return false
}

const silentFrame: Uint8Array = new Uint8Array(frameBytes).fill(silence)
export const silentPayload: string = Buffer.from(silentFrame).toString("base64")
