/** The power of a telephone channel: cheaply of each frame, and in 16 bands by the analysis of the last 32 ms when asked. */
import { FRAME_BYTES } from "../frames/Frame.ts"
import { BINS, FFT_SIZE, powerSpectrum } from "./PowerSpectrum.ts"

export const BANDS = 16
/** First bin of each band, and the end of the last: 125 Hz … 3.7 kHz, narrower where voices have their first formants. */
const edges = Uint8Array.of(4, 7, 10, 13, 16, 20, 24, 29, 34, 40, 47, 55, 64, 74, 86, 101, 118)
/** Bins in each band: how much its average tells. */
export const bandWidths = Float64Array.from({ length: BANDS }, (_, band) => edges[band + 1] - edges[band])
const inverseWidths = bandWidths.map((width) => 1 / width)
const OVERLAP = FFT_SIZE - FRAME_BYTES
/** Samples of a block (2.5 ms), blocks of a frame, and those that cover the analysis. */
const BLOCK = 20
const FRAME_BLOCKS = FRAME_BYTES / BLOCK
const BLOCKS = Math.floor(FFT_SIZE / BLOCK) + 1
/** A block with less than this part of the power of the whole is silent beside the rest (1 % of the mean). */
const SILENT_PART = 0.01 / BLOCKS
/** What mu-law adds to a value before it takes its logarithm (ITU-T G.711, 16 bits). */
const MULAW_BIAS = 132
/** Mean power below which a frame is never speech, whatever the noise is (about -64 dB of full scale); it is still noise to be learned. */
const SOFTEST_SPEECH = 16 * 16
/**
 * On a line with a constant offset also a frame below so many times the power of one step of mu-law at that offset: rounding makes such sounds,
 * and its steps are twice as large on a line that was made louder after it was coded.
 */
const SOFTEST_STEPS = 4
/** More than this part of a sound within 5 ms is a click: in speech, where a deep voice has pulses, and elsewhere. */
const CLICK_IN_SPEECH = 0.88
const CLICK = 0.75
/** So many gaps of 2.5 ms in a sound make it a crackle: the pulses of a voice ring on for longer. */
const CRACKLE_GAPS = 4
/** How fast the constant part of the signal is learned. */
const OFFSET_RATE = 0.1
// Working memory of one synchronous frame: what lies in each channel's own is out of the processor's caches when its next frame comes.
const spectrum = new Float64Array(BINS)
const samples = new Float64Array(FFT_SIZE)

export class SubBands {
  /** Mean power per bin in each band after `analyse`. */
  readonly power = new Float64Array(BANDS)
  /** Power of each bin after `analyse`: shared by all channels, so only until the next one's. */
  readonly spectrum = spectrum
  /** Mean power of the last 160 samples, and of the differences between them (which weighs high sounds more). */
  energy = 0
  edge = 0
  /** The last samples of the frame before, which the analysis covers, too, and what was the constant part then. */
  private readonly earlier = new Int16Array(OVERLAP)
  private earlierOffset = 0
  /** Energy of the last 13 blocks, a little more than the analysis covers. */
  private readonly blocks = new Float64Array(BLOCKS)
  /** The constant part of the signal, which some lines add. */
  private offset = 0

  /** How far apart two neighbouring values of mu-law are at the constant part of the signal: 8 around 0, 64 at 1,000. */
  get step(): number {
    return 2 ** (27 - Math.clz32(Math.abs(this.offset) + MULAW_BIAS))
  }

  /** Whether a frame is loud enough to be speech on any line. */
  isAudible(): boolean {
    const { energy, step } = this
    return energy >= SOFTEST_SPEECH && energy >= SOFTEST_STEPS * step * step
  }

  /** Takes the next 160 samples and computes `energy` and `edge`. */
  push(pcm: Int16Array): void {
    const { blocks, earlier, earlierOffset, offset } = this
    for (let i = 0; i < OVERLAP; i++) {
      samples[i] = earlier[i] - earlierOffset
      earlier[i] = pcm[FRAME_BYTES - OVERLAP + i]
    }
    for (let i = FRAME_BLOCKS; i < BLOCKS; i++) blocks[i - FRAME_BLOCKS] = blocks[i]
    let energy = 0
    let edge = 0
    let mean = 0
    let last = samples[OVERLAP - 1]
    for (let block = 0, i = 0; block < FRAME_BLOCKS; block++) {
      let sum = 0
      for (const end = i + BLOCK; i < end; i++) {
        const sample = pcm[i] - offset
        const step = sample - last
        samples[OVERLAP + i] = sample
        sum += sample * sample
        edge += step * step
        mean += sample
        last = sample
      }
      blocks[BLOCKS - FRAME_BLOCKS + block] = sum
      energy += sum
    }
    this.earlierOffset = offset
    this.offset = offset + (OFFSET_RATE / FRAME_BYTES) * mean
    this.energy = energy / FRAME_BYTES
    this.edge = edge / FRAME_BYTES
  }

  /** Computes `power` for the last 256 samples: to be called before another channel's `push`. */
  analyse(): void {
    powerSpectrum(samples, spectrum)
    for (let band = 0; band < BANDS; band++) {
      const end = edges[band + 1]
      let sum = 0
      for (let bin = edges[band]; bin < end; bin++) sum += spectrum[bin]
      this.power[band] = sum * inverseWidths[band]
    }
  }

  /**
   * How much of what was heard above a noise of mean power `usual` lies within 5 ms (0 … 1): nearly all of a click does, of a
   * voice only what is between two closures of the vocal cords.
   */
  concentration(usual: number): number {
    const { blocks } = this
    const noise = usual * BLOCK
    let sum = blocks[0]
    let most = 0
    for (let block = 1; block < BLOCKS; block++) {
      sum += blocks[block]
      const pair = blocks[block - 1] + blocks[block]
      if (pair > most) most = pair
    }
    const above = sum - BLOCKS * noise
    return above <= 0 ? 0 : Math.min(1, (most - 2 * noise) / above)
  }

  /** Whether what was heard above a noise of mean power `usual` lies within moments: one click, or several. */
  isClick(usual: number, inSpeech: boolean): boolean {
    if (inSpeech) return this.concentration(usual) > CLICK_IN_SPEECH
    return this.concentration(usual) > CLICK || this.gaps() >= CRACKLE_GAPS
  }

  /** How many blocks of 2.5 ms are silent beside the others after the first that sounds: many in a crackle, none in a voice. */
  gaps(): number {
    const { blocks } = this
    let sum = 0
    for (let block = 0; block < BLOCKS; block++) sum += blocks[block]
    const least = SILENT_PART * sum
    let gaps = 0
    let sounded = false
    for (let block = 0; block < BLOCKS; block++) {
      if (blocks[block] >= least) sounded = true
      else if (sounded) gaps++
    }
    return gaps
  }
}
