/** G.711 mu-law by table: `mulaw-js` computes each value once, when the module loads; frames only look up. */
import mulaw from "mulaw-js"

const decodeTable = Int16Array.from({ length: 256 }, (_, byte) => mulaw.decodeSample(byte))
/** Indexed by the sample as an unsigned 16-bit number. */
const encodeTable = Uint8Array.from({ length: 65_536 }, (_, index) => mulaw.encodeSample((index << 16) >> 16))

/** Decodes `mulaw` into the start of `out` (at least as long). Allocates nothing. */
export const decodeInto = (mulaw: Uint8Array, out: Int16Array): void => {
  const length = mulaw.length
  for (let i = 0; i < length; i++) out[i] = decodeTable[mulaw[i]]
}

/** Encodes `pcm` into the start of `out` (at least as long). Allocates nothing. */
export const encodeInto = (pcm: Int16Array, out: Uint8Array): void => {
  const length = pcm.length
  for (let i = 0; i < length; i++) out[i] = encodeTable[pcm[i] & 0xffff]
}

const squareTable = Float64Array.from(decodeTable, (sample) => sample * sample)

/** Mean power of mu-law bytes. Allocates nothing. */
export const powerOf = (mulaw: Uint8Array): number => {
  const length = mulaw.length
  let sum = 0
  for (let i = 0; i < length; i++) sum += squareTable[mulaw[i]]
  return sum / length
}

const softTable = Uint8Array.from(decodeTable, (sample) => encodeTable[Math.round(sample / 4) & 0xffff])

/** Makes mu-law bytes 12 dB softer, in place. Allocates nothing. */
export const softenInto = (mulaw: Uint8Array): void => {
  const length = mulaw.length
  for (let i = 0; i < length; i++) mulaw[i] = softTable[mulaw[i]]
}

/** Adds `pcm`, from its `from`th sample on, to `mulaw` in place; the sum is clipped. Allocates nothing. */
export const mixInto = (mulaw: Uint8Array, pcm: Int16Array, from: number): void => {
  const length = mulaw.length
  for (let i = 0; i < length; i++) {
    const sum = decodeTable[mulaw[i]] + pcm[from + i]
    mulaw[i] = encodeTable[(sum > 32_767 ? 32_767 : sum < -32_768 ? -32_768 : sum) & 0xffff]
  }
}

/** Mu-law bytes → 16-bit samples, in a new array. */
export const decode = (mulaw: Uint8Array): Int16Array => {
  const out = new Int16Array(mulaw.length)
  decodeInto(mulaw, out)
  return out
}

/** 16-bit samples → mu-law bytes, in a new array. */
export const encode = (pcm: Int16Array): Uint8Array => {
  const out = new Uint8Array(pcm.length)
  encodeInto(pcm, out)
  return out
}
