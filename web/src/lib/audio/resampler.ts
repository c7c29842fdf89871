/** Changes the rate of samples as they come, by a windowed sinc: nothing above the lower rate's half is left. Pure; `test/web/testCall.test.ts`. */

/** Zero crossings on each side; more are sharper and later. 16 at 8 kHz are 2 ms. */
const crossings = 16
/** Values of the filter between two crossings. */
const fineness = 64

/** One side of the filter: sinc times a Hann window. */
const table = Float32Array.from({ length: crossings * fineness + 2 }, (_, index) => {
  const x = index / fineness
  if (x >= crossings) return 0
  const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)
  return sinc * 0.5 * (1 + Math.cos((Math.PI * x) / crossings))
})

const filter = (x: number): number => {
  const at = Math.abs(x) * fineness
  const below = Math.floor(at)
  const low = table[below] ?? 0
  return low + ((table[below + 1] ?? 0) - low) * (at - below)
}

export class Resampler {
  /** Samples of the source from one sample to the next. */
  readonly #step: number
  /** 1 when the rate rises; below it the filter is wider. */
  readonly #cutoff: number
  readonly #reach: number
  #kept: Array<number> = []
  /** Where the next sample is, counted from the first kept one. */
  #at: number

  constructor(from: number, to: number) {
    this.#step = from / to
    this.#cutoff = Math.min(1, to / from)
    this.#reach = Math.ceil(crossings / this.#cutoff)
    this.#kept = new Array<number>(this.#reach).fill(0)
    this.#at = this.#reach
  }

  /** Takes samples of the source; gives those that can be said now to `give`. */
  push(samples: Iterable<number>, give: (sample: number) => void): void {
    for (const sample of samples) this.#kept.push(sample)
    while (this.#at + this.#reach < this.#kept.length) {
      give(this.#valueAt(this.#at))
      this.#at += this.#step
    }
    const done = Math.floor(this.#at) - this.#reach
    if (done > 0) {
      this.#kept.splice(0, done)
      this.#at -= done
    }
  }

  #valueAt(at: number): number {
    let sum = 0
    const last = Math.floor(at + this.#reach)
    for (let index = Math.max(0, Math.ceil(at - this.#reach)); index <= last; index++)
      sum += (this.#kept[index] ?? 0) * filter((at - index) * this.#cutoff)
    return sum * this.#cutoff
  }
}
