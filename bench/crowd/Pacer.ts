/** The clock of a crowd: one timer, every millisecond the members of one of 20 phases. Absolute, so that lateness never adds up. */

const phases = 20

export interface Paced {
  /** Every 20 ms. */
  readonly tick: (nowMs: number) => void
}

export class Pacer {
  readonly #slots: ReadonlyArray<Set<Paced>> = Array.from({ length: phases }, () => new Set<Paced>())
  #added = 0
  #next = 0
  #timer: NodeJS.Timeout | undefined

  /** Ticks `member` until the function it gives is called. Phases are spread evenly. */
  add(member: Paced): () => void {
    // Neighbours in time are far apart in phase.
    const slot = this.#slots[(this.#added++ * 7) % phases]
    slot.add(member)
    if (this.#timer === undefined) {
      this.#next = Math.ceil(performance.now())
      this.#timer = setTimeout(this.#run, 1)
    }
    return () => void slot.delete(member)
  }

  close(): void {
    clearTimeout(this.#timer)
    for (const slot of this.#slots) slot.clear()
  }

  readonly #run = (): void => {
    const now = performance.now()
    // After a stall the missed ticks are made up, though not for ever.
    if (now - this.#next > 1_000) this.#next = Math.floor(now)
    while (this.#next <= now) {
      for (const member of this.#slots[this.#next % phases]) member.tick(now)
      this.#next++
    }
    this.#timer = setTimeout(this.#run, 1)
  }
}
