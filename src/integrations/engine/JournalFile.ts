/**
 * One file that only grows, a line at a time, opened once. Lines are written to the system's cache at once, which takes some 5 µs; the
 * same through Node's thread pool costs 30 times as much processor time, and more than anything else in a turn did. While the disk makes
 * writers wait (`DiskPace`), lines go through the thread pool, those that come meanwhile together.
 */
import { appendFile, appendFileSync, close, closeSync, open, openSync, rmSync } from "node:fs"
import { rm } from "node:fs/promises"
import { promisify } from "node:util"
import type { DiskPace } from "./DiskPace.ts"
import type { SpareFiles } from "./SpareFiles.ts"

const appendLater = promisify(appendFile)
const openLater = promisify(open)
const closeLater = promisify(close)

export class JournalFile {
  readonly #path: string
  readonly #disk: DiskPace
  readonly #spares: SpareFiles
  #descriptor: number | undefined
  #waiting: Array<string> = []
  #writing: Promise<void> | undefined

  constructor(path: string, disk: DiskPace, spares: SpareFiles) {
    this.#path = path
    this.#disk = disk
    this.#spares = spares
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

  /** Closes the file and takes it off the disk; while that is quick, before this returns. */
  async remove(): Promise<void> {
    const descriptor = this.#descriptor
    if (this.#disk.isQuick) {
      this.#descriptor = undefined
      this.#disk.time(() => {
        if (descriptor === undefined) rmSync(this.#path, { force: true })
        else this.#spares.put(descriptor, this.#path)
      })
    } else {
      await this.close()
      await rm(this.#path, { force: true })
    }
  }

  async #writeNow(text: string): Promise<void> {
    try {
      this.#disk.time(() => {
        this.#descriptor ??= this.#spares.take(this.#path) ?? openSync(this.#path, "a")
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
