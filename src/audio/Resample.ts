/** Windowed-sinc sample-rate conversion. For recordings, simulators and tests: not for the frame path. */

/** Zero crossings of the sinc on each side: about 80 dB of stop band with the window below. */
const CROSSINGS = 24

/**
 * Converts `pcm` from one sample rate (Hz) to another; the length is scaled and rounded. Going down, everything above the new
 * half rate is filtered out first.
 */
export const resample = (pcm: Int16Array, from: number, to: number): Int16Array => {
  if (from === to) return pcm.slice()
  const out = new Int16Array(Math.round((pcm.length * to) / from))
  // The cut-off lies a little under the lower half rate, which leaves room for the filter's slope.
  const cutoff = Math.min(1, to / from) * 0.95
  const reach = CROSSINGS / cutoff
  for (let i = 0; i < out.length; i++) {
    const center = (i * from) / to
    const first = Math.max(0, Math.ceil(center - reach))
    const last = Math.min(pcm.length - 1, Math.floor(center + reach))
    let sum = 0
    for (let j = first; j <= last; j++) sum += pcm[j] * kernel(j - center, cutoff, reach)
    out[i] = Math.max(-32_768, Math.min(32_767, Math.round(sum)))
  }
  return out
}

const kernel = (x: number, cutoff: number, reach: number): number => {
  if (x === 0) return cutoff
  const phase = Math.PI * x
  // Blackman window.
  const window = 0.42 + 0.5 * Math.cos(phase / reach) + 0.08 * Math.cos((2 * phase) / reach)
  return (Math.sin(phase * cutoff) / phase) * window
}
