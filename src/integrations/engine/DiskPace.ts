/**
 * Whether a disk takes what is written to it at once. One that makes writers wait must not hold up the frames of all calls: after a slow write,
 * writers leave the thread of the frames alone for a while, and for twice as long each time the disk proves slow again.
 */

/** A write that takes longer makes later ones go through the thread pool, for a while. A frame is due every 20 ms. Milliseconds. */
const slowMs = 2
/** A process that had to wait for its processor looks like a slow disk once; a disk that is slow is so again and again. */
const [shortestRestMs, longestRestMs] = [500, 60_000]

/** Whether writing is quick enough for the thread of the frames; shared by all files of a disk. */
export class DiskPace {
  #slowUntil = Number.NEGATIVE_INFINITY
  #restMs = shortestRestMs

  get isQuick(): boolean {
    return performance.now() >= this.#slowUntil
  }

  /** Runs `write` and notes how long it took. */
  time<A>(write: () => A): A {
    const started = performance.now()
    try {
      return write()
    } finally {
      this.#took(performance.now() - started)
    }
  }

  #took(ms: number): void {
    if (ms <= slowMs) {
      this.#restMs = Math.max(shortestRestMs, this.#restMs * 0.98)
      return
    }
    this.#slowUntil = performance.now() + this.#restMs
    this.#restMs = Math.min(longestRestMs, this.#restMs * 2)
  }
}
