/**
 * One append-only file, opened once and written line by line. Lines are written synchronously to the system's cache, which takes some 5 µs. The
 * same through Node's thread pool costs 30 times as much processor time, more than anything else in a turn did. While the disk is slow
 * (`DiskPace`), lines go through the thread pool, and lines that come meanwhile are written together.
 */
import { appendFile, appendFileSync, close, closeSync, open, openSync, rmSync } from "node:fs"
import { rename, rm } from "node:fs/promises"
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
  /** The last work that is running or waiting in the thread pool. New work comes after it. */
  #busy: Promise<void> | undefined
  /** Waiting lines that further lines may join; undefined when other work comes after them. */
  #together: { readonly lines: Array<string>; readonly written: Promise<void> } | undefined

  constructor(path: string, disk: DiskPace, spares: SpareFiles) {
    this.#path = path
    this.#disk = disk
    this.#spares = spares
  }

  /** Resolves when the text is in the file. Rejects when it could not be written; later appends are still tried. */
  append(text: string): Promise<void> {
    if (this.#busy === undefined && this.#disk.isQuick) return this.#writeNow(text)
    if (this.#together === undefined) {
      const lines: Array<string> = []
      const written = this.#next(() => {
        if (this.#together?.lines === lines) this.#together = undefined
        return this.#writeLater(lines.join(""))
      })
      this.#together = { lines, written }
    }
    this.#together.lines.push(text)
    return this.#together.written
  }

  async close(): Promise<void> {
    const descriptor = this.#descriptor
    this.#descriptor = undefined
    if (descriptor === undefined) return
    if (this.#disk.isQuick) this.#disk.time(() => closeSync(descriptor))
    else await closeLater(descriptor)
  }

  /**
   * Closes the file and removes it; synchronously while the disk is quick. A line that comes later, even before this has resolved, begins a new
   * file.
   */
  remove(): Promise<void> {
    if (this.#busy === undefined && this.#disk.isQuick) return this.#removeNow()
    return this.#next(async () => {
      await this.close()
      await rm(this.#path, { force: true })
    })
  }

  /** Like `remove`, but the file is kept under this path. */
  putAside(path: string): Promise<void> {
    return this.#next(async () => {
      await this.close()
      await rename(this.#path, path)
    })
  }

  /** Runs `work` after the work before it, even when that failed. A failure goes only to the code that waits for that work. */
  #next(work: () => Promise<void>): Promise<void> {
    this.#together = undefined
    const next = (this.#busy ?? Promise.resolve()).then(work, work)
    this.#busy = next
    const done = () => {
      if (this.#busy === next) this.#busy = undefined
    }
    next.then(done, done)
    return next
  }

  async #removeNow(): Promise<void> {
    const descriptor = this.#descriptor
    this.#descriptor = undefined
    this.#disk.time(() => {
      if (descriptor === undefined) rmSync(this.#path, { force: true })
      else this.#spares.put(descriptor, this.#path)
    })
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

  async #writeLater(text: string): Promise<void> {
    try {
      this.#descriptor ??= await openLater(this.#path, "a")
      await appendLater(this.#descriptor, text)
    } catch (cause) {
      await this.close().catch(() => undefined)
      throw cause
    }
  }
}
