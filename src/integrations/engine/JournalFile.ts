/**
 * One file that only grows, a line at a time, opened once. Lines are written to the system's cache at once, which takes some 5 µs; the
 * same through Node's thread pool costs 30 times as much processor time, and more than anything else in a turn did. A disk that makes
 * writers wait must not hold up the frames of all calls, though: then lines go through the thread pool, those that come meanwhile together.
 */
import { appendFile, appendFileSync, close, closeSync, open, openSync, rmSync } from "node:fs"
import { rm } from "node:fs/promises"
import { promisify } from "node:util"

const appendLater = promisify(appendFile)
const openLater = promisify(open)
const closeLater = promisify(close)

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

export class JournalFile {
  readonly #path: string
  readonly #disk: DiskPace
  #descriptor: number | undefined
  #waiting: Array<string> = []
  #writing: Promise<void> | undefined

  constructor(path: string, disk: DiskPace) {
    this.#path = path
    this.#disk = disk
  }

  /** Resolves when the text is in the file. Rejects when it could not be written; what comes later is tried again. */
  append(text: string): Promise<void> {
    if (this.#writing === undefined && this.#disk.isQuick) return this.#writeNow(text)
    this.#waiting.push(text)
    if (this.#writing === undefined || this.#waiting.length === 1) {
      const writing = this.#writeAfter(this.#writing)
      this.#writing = writing
      const done = () => {
        if (this.#writing === writing) this.#writing = undefined
      }
      writing.then(done, done)
    }
    return this.#writing
  }

  async close(): Promise<void> {
    const descriptor = this.#descriptor
    this.#descriptor = undefined
    if (descriptor === undefined) return
    if (this.#disk.isQuick) this.#disk.time(() => closeSync(descriptor))
    else await closeLater(descriptor)
  }

  /** Closes the file and takes it off the disk. */
  async remove(): Promise<void> {
    await this.close()
    if (this.#disk.isQuick) this.#disk.time(() => rmSync(this.#path, { force: true }))
    else await rm(this.#path, { force: true })
  }

  async #writeNow(text: string): Promise<void> {
    try {
      this.#disk.time(() => {
        this.#descriptor ??= openSync(this.#path, "a")
        appendFileSync(this.#descriptor, text)
      })
    } catch (cause) {
      await this.close().catch(() => undefined)
      throw cause
    }
  }

  async #writeAfter(earlier: Promise<void> | undefined): Promise<void> {
    // Whoever waits for the earlier lines hears of their failure.
    await earlier?.catch(() => undefined)
    const text = this.#waiting.splice(0).join("")
    try {
      this.#descriptor ??= await openLater(this.#path, "a")
      await appendLater(this.#descriptor, text)
    } catch (cause) {
      await this.close().catch(() => undefined)
      throw cause
    }
  }
}
