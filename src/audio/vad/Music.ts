/**
 * Whether there is music on a line. A note keeps its place in the spectrum for longer than a speaker holds pitch and mouth. A frame is tonal
 * when its spectrum equals that of 100 ms before. A single "aaah" can be tonal too, so music needs many tonal frames.
 */

/** Bins compared: 125 Hz … 3.7 kHz. */
const FIRST = 4
const COMPARED = 114
/** Spectra kept, and how many frames back the compared one lies: at least, at most. */
const KEPT = 8
const AGE = 5
const OLDEST = 9
/** Added to the power of each bin, so that mu-law rounding is not taken for a tone. */
const FLOOR = 3_000
/** Least correlation of a tonal frame with the earlier spectrum, and how many tonal frames in a row make a note. */
const SAME = 0.87
const NOTE = 2
/** How many recent note frames make a line one with music, and the part of that count that remains after a frame (half after 7 s). */
const ENOUGH = 16
const REMEMBERED = 0.998

export class Music {
  /** Note frames heard recently. */
  private heard = 0
  private run = 0
  private frame = 0
  /** Ring of shapes of spectra: fourth root of the power, mean 0, length 1. */
  private readonly shapes = new Float32Array(KEPT * COMPARED)
  private readonly times = new Int32Array(KEPT).fill(-KEPT * OLDEST)
  private newest = 0

  /** Whether the line carries music. */
  get playing(): boolean {
    return this.heard > ENOUGH
  }

  /** Counts a frame. Call it for every frame. */
  tick(): void {
    this.frame++
    this.heard *= REMEMBERED
  }

  /** Takes the power spectrum of the frame, and says whether it is a note of music. */
  isNote(power: Float64Array): boolean {
    this.newest = (this.newest + 1) % KEPT
    this.times[this.newest] = this.frame
    const row = this.newest * COMPARED
    this.keep(power, row)
    const before = this.before()
    this.run = before >= 0 && this.alike(row, before * COMPARED) > SAME ? this.run + 1 : 0
    if (this.run < NOTE) return false
    this.heard++
    return this.playing
  }

  private keep(power: Float64Array, row: number): void {
    const { shapes } = this
    let mean = 0
    for (let bin = 0; bin < COMPARED; bin++) {
      const value = Math.sqrt(Math.sqrt(power[FIRST + bin] + FLOOR))
      shapes[row + bin] = value
      mean += value
    }
    mean /= COMPARED
    let square = 0
    for (let at = row; at < row + COMPARED; at++) {
      const value = shapes[at] - mean
      shapes[at] = value
      square += value * value
    }
    const scale = square > 0 ? 1 / Math.sqrt(square) : 0
    for (let at = row; at < row + COMPARED; at++) shapes[at] *= scale
  }

  /** Row of the newest spectrum old enough, or -1. */
  private before(): number {
    for (let back = 1; back < KEPT; back++) {
      const at = (this.newest + KEPT - back) % KEPT
      const age = this.frame - this.times[at]
      if (age >= AGE) return age <= OLDEST ? at : -1
    }
    return -1
  }

  private alike(row: number, before: number): number {
    const { shapes } = this
    let sum = 0
    for (let bin = 0; bin < COMPARED; bin++) sum += shapes[row + bin] * shapes[before + bin]
    return sum
  }
}
