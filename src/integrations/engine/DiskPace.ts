/**
 * Whether a disk takes writes at once. A slow disk must not delay the audio frames of all calls: after a slow write, files are written outside the
 * frames' thread for a while, and for twice as long each time the disk is slow again.
 */

/** After a write that takes longer than this, later ones go through the thread pool for a while. A frame is due every 20 ms. Milliseconds. */
const slowMs = 2
/** A process that waited for the processor looks like a slow disk once; a slow disk is slow again and again. So the rest doubles each time. */
const [shortestRestMs, longestRestMs] = [500, 60_000]

/** Whether writes are quick enough for the frames' thread. All files of a disk share one. */
export class DiskPace {
  #slowUntil = Number.NEGATIVE_INFINITY
  #restMs = shortestRestMs

  get isQuick(): boolean {
    return performance.now() >= this.#slowUntil
  }

  /** Runs `write` and measures how long it takes. */
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
