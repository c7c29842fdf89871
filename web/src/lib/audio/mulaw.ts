/** G.711 mu-law, as telephones speak it: 8,000 samples a second, one byte each. Samples here are -1 to 1. Pure; `test/web/testCall.test.ts`. */

export const sampleRate = 8_000
/** 20 ms. */
export const frameSamples = 160
/** The byte of silence. */
export const silence = 0xff

const bias = 0x84
const clip = 32_635

export const encodeSample = (sample: number): number => {
  const value = Math.round(Math.max(-1, Math.min(1, sample)) * 32_767)
  const sign = value < 0 ? 0x80 : 0
  const magnitude = Math.min(clip, Math.abs(value)) + bias
  const exponent = 31 - Math.clz32(magnitude >> 7)
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f
  return ~(sign | (exponent << 4) | mantissa) & 0xff
}

export const decodeByte = (byte: number): number => {
  const flipped = ~byte & 0xff
  const exponent = (flipped >> 4) & 7
  const magnitude = ((((flipped & 0x0f) << 3) + bias) << exponent) - bias
  return (flipped & 0x80 ? -magnitude : magnitude) / 32_768
}
