/** The power of a telephone channel in 16 bands, by the analysis of the last 32 ms. */
import { FRAME_BYTES } from "./Frame.ts"
import { BINS, FFT_SIZE, powerSpectrum } from "./PowerSpectrum.ts"

export const BANDS = 16
/** First bin of each band, and the end of the last: 125 Hz … 3.7 kHz, narrower where voices have their first formants. */
const edges = Uint8Array.of(4, 7, 10, 13, 16, 20, 24, 29, 34, 40, 47, 55, 64, 74, 86, 101, 118)
/** Bins in each band: how much its average tells. */
export const bandWidths = Float64Array.from({ length: BANDS }, (_, band) => edges[band + 1] - edges[band])
const inverseWidths = bandWidths.map((width) => 1 / width)
const OVERLAP = FFT_SIZE - FRAME_BYTES
// Working memory of one synchronous call.
const spectrum = new Float64Array(BINS)

export class SubBands {
  /** Mean power per bin in each band after `analyse`. */
  readonly power = new Float64Array(BANDS)
  /** Mean power of the last 160 samples, and of the differences between them (which weighs high sounds more). */
  energy = 0
  edge = 0
  private readonly samples = new Float64Array(FFT_SIZE)

  /** Takes the next 160 samples and computes `energy` and `edge`. */
  push(pcm: Int16Array): void {
    const { samples } = this
    samples.copyWithin(0, FRAME_BYTES)
    let energy = 0
    let edge = 0
    let last = samples[OVERLAP - 1]
    for (let i = 0; i < FRAME_BYTES; i++) {
      const sample = pcm[i]
      samples[OVERLAP + i] = sample
      energy += sample * sample
      edge += (sample - last) * (sample - last)
      last = sample
    }
    this.energy = energy / FRAME_BYTES
    this.edge = edge / FRAME_BYTES
  }

  /** Computes `power` for the last 256 samples. */
  analyse(): void {
    powerSpectrum(this.samples, spectrum)
    for (let band = 0; band < BANDS; band++) {
      const end = edges[band + 1]
      let sum = 0
      for (let bin = edges[band]; bin < end; bin++) sum += spectrum[bin]
      this.power[band] = sum * inverseWidths[band]
    }
  }
}
