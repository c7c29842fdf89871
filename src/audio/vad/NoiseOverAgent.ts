/**
 * How loud the line's noise gets while the agent speaks. A television that is taken for the caller then interrupts the agent, so a frame must exceed the
 * loudest that turned out to be noise since the agent began, and the echo that is expected. The usual noise of the line is learned apart from this. It
 * was chosen by the benches `panel` (the more, the fewer sounds of others silence the agent) and `dialogues` (with 6 dB callers were left unanswered).
 * Allocates nothing.
 */

/** How fast it follows a louder frame, and the most it becomes, as a multiple of the usual noise (3 dB): over more than that a soft caller is not heard. */
const RISE = 0.4
const MOST = 2
/** Where the echo is louder than the noise by more than this (3 dB), a frame tells of the echo. */
const ECHO_ABOVE = 2

export class NoiseOverAgent {
  private loudest = 0
  private echo = 0
  private noise = 0

  /** Takes the power up to which the frame may be echo, 0 for none, and that of the usual noise. */
  take(echo: number, noise: number): void {
    this.echo = echo
    this.noise = noise
    if (echo === 0 || this.loudest < noise) this.loudest = noise
  }

  /** Whether a frame of this power is no louder than echo and noise, so that it is not the caller. */
  covers(power: number): boolean {
    return this.echo > 0 && power < this.echo + this.loudest
  }

  /** Whether the echo is louder than the noise: then a frame tells nothing of the noise, nor do the loud ones that remain. */
  get hidden(): boolean {
    return this.echo > this.noise
  }

  /** A frame of this power, which was not covered, turned out to be noise. */
  wasNoise(power: number): void {
    if (this.echo === 0 || this.echo >= ECHO_ABOVE * this.noise) return
    this.loudest = Math.min(MOST * this.noise, this.loudest + RISE * (power - this.loudest))
  }
}
