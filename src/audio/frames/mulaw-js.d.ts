/** The package ships no types; only what is used is declared. */
declare module "mulaw-js" {
  const mulaw: {
    /** 16-bit sample → mu-law byte. */
    encodeSample(sample: number): number
    /** Mu-law byte → 16-bit sample. */
    decodeSample(byte: number): number
  }
  export default mulaw
}
