/** Pieces of audio for tests of voice detection, 8 kHz. */

/** Joins the pieces, one after the other. */
export const concat = (pieces: ReadonlyArray<Int16Array>): Int16Array => {
  const out = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    out.set(piece, at)
    at += piece.length
  }
  return out
}

/** Digital silence of `ms` milliseconds. */
export const silence = (ms: number): Int16Array => new Int16Array(ms * 8)
