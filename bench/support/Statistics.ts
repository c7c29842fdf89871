/** Figures of a distribution, by the nearest rank: every figure is a value that was measured. */

const ascending = (values: Iterable<number>): Float64Array => Float64Array.from(values).sort()

const atShare = (sorted: Float64Array, share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN

/** The smallest value that at least `share` (0 to 1) of the values do not exceed; NaN when there are none. */
export const percentile = (values: Iterable<number>, share: number): number => atShare(ascending(values), share)

export interface Summary {
  readonly count: number
  readonly mean: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly max: number
}

/** All figures but `count` are NaN when there are no values. */
export const summarize = (values: Iterable<number>): Summary => {
  const sorted = ascending(values)
  return {
    count: sorted.length,
    mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
    p50: atShare(sorted, 0.5),
    p90: atShare(sorted, 0.9),
    p99: atShare(sorted, 0.99),
    max: atShare(sorted, 1)
  }
}

export interface Bin {
  readonly from: number
  readonly to: number
  readonly count: number
}

/** `bins` equal steps from the smallest to the largest value, which is in the last bin; one bin when all are the same. */
export const histogram = (values: Iterable<number>, bins = 40): ReadonlyArray<Bin> => {
  const sorted = ascending(values)
  if (sorted.length === 0) return []
  const [low, high] = [sorted[0], sorted[sorted.length - 1]]
  const width = (high - low) / bins
  if (width === 0) return [{ from: low, to: high, count: sorted.length }]
  const counts = new Array<number>(bins).fill(0)
  for (const value of sorted) counts[Math.min(bins - 1, Math.floor((value - low) / width))]++
  return counts.map((count, i) => ({ from: low + i * width, to: low + (i + 1) * width, count }))
}
