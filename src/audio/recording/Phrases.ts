/** Cuts recorded speech at its pauses, for a recogniser that takes it piece by piece. Nothing is left out: quiet belongs to a phrase too. */

/** Frames of 20 ms. */
const FRAMES_A_SECOND = 50

/** This many quiet frames end a phrase: 500 ms. */
const PAUSE = 25
/** A phrase is not shorter: 1 s. */
const SHORTEST = 50
/** A longer one is cut where it is quietest in its last quarter: 15 s. */
const LONGEST = 750

/** Samples `from` to, not including, `to`. */
export interface Phrase {
  readonly from: number
  readonly to: number
}

const levelsOf = (samples: Int16Array, size: number): Float64Array =>
  Float64Array.from({ length: Math.floor(samples.length / size) }, (_, frame) => {
    let sum = 0
    for (let i = frame * size; i < (frame + 1) * size; i++) sum += samples[i] * samples[i]
    return Math.sqrt(sum / size)
  })

/** Between the recording's softest tenth (its noise) and its loudest (the voice), nearer to the noise. */
const quietBelow = (levels: Float64Array): number => {
  const sorted = levels.toSorted()
  const noise = sorted[Math.floor(sorted.length * 0.1)] ?? 0
  const voice = sorted[Math.floor(sorted.length * 0.9)] ?? 0
  return Math.max(40, Math.min(noise * 3, noise + (voice - noise) * 0.25))
}

const quietest = (levels: Float64Array, from: number, to: number): number => {
  let best = from
  for (let frame = from + 1; frame < to; frame++) if (levels[frame] <= levels[best]) best = frame
  return best
}

/** The phrases of samples (8 kHz unless said otherwise), end to end. Quiet at the end belongs to the last phrase. No samples: no phrases. */
export const phrasesOf = (samples: Int16Array, sampleRate = 8_000): ReadonlyArray<Phrase> => {
  const size = sampleRate / FRAMES_A_SECOND
  const levels = levelsOf(samples, size)
  const threshold = quietBelow(levels)
  const cuts: Array<number> = []
  let begin = 0
  let quiet = 0
  let loud = false
  const cut = (at: number, next: number) => {
    cuts.push(at)
    begin = at
    quiet = Math.min(quiet, next - at)
    loud = false
  }
  for (let frame = 0; frame < levels.length; frame++) {
    quiet = levels[frame] < threshold ? quiet + 1 : 0
    if (quiet === 0) loud = true
    const next = frame + 1
    // In the middle of the pause, so that both sides keep some of it.
    const middle = next - Math.floor(quiet / 2)
    if (loud && quiet >= PAUSE && middle - begin >= SHORTEST) cut(middle, next)
    else if (next - begin >= LONGEST) cut(quietest(levels, next - Math.floor(LONGEST / 4), next), next)
  }
  // What is quiet to the end belongs to the last words.
  if (!loud) cuts.pop()
  const edges = [0, ...cuts.map((at) => at * size), samples.length]
  return edges.slice(1).flatMap((to, index) => (to > edges[index] ? [{ from: edges[index], to }] : []))
}

/** The same, with phrases put together to pieces of at most `longest` samples: a recogniser understands more of what it hears at once. */
export const piecesOf = (samples: Int16Array, sampleRate: number, longest: number): ReadonlyArray<Phrase> => {
  const pieces: Array<Phrase> = []
  for (const { from, to } of phrasesOf(samples, sampleRate)) {
    const last = pieces.at(-1)
    if (last !== undefined && to - last.from <= longest) pieces[pieces.length - 1] = { from: last.from, to }
    else pieces.push({ from, to })
  }
  return pieces
}
