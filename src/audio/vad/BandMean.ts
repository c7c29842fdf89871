/** The mean band powers of the analysed frames of a run. */
import { BANDS } from "./SubBands.ts"

export class BandMean {
  readonly power = new Float64Array(BANDS)
  /** Frames averaged. */
  frames = 0

  add(bands: Float64Array): void {
    const part = 1 / ++this.frames
    for (let band = 0; band < BANDS; band++) this.power[band] += part * (bands[band] - this.power[band])
  }

  clear(): void {
    this.frames = 0
  }
}
