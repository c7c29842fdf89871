/**
 * One file that only grows, a line at a time: opened once, and lines that come while one is being written go to disk together. (Opening,
 * writing and closing for each line cost more processor time than anything else in a turn.)
 */
import { type FileHandle, open } from "node:fs/promises"

export class JournalFile {
  readonly #path: string
  #handle: Promise<FileHandle> | undefined
  #waiting: Array<string> = []
  #writing: Promise<void> | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** Resolves when the text is in the file. Rejects when it could not be written; what comes later is tried again. */
  append(text: string): Promise<void> {
    this.#waiting.push(text)
    if (this.#writing === undefined || this.#waiting.length === 1) this.#writing = this.#writeAfter(this.#writing)
    return this.#writing
  }

  async close(): Promise<void> {
    const handle = this.#handle
    this.#handle = undefined
    await (await handle)?.close()
  }

  async #writeAfter(earlier: Promise<void> | undefined): Promise<void> {
    // Whoever waits for the earlier lines hears of their failure.
    await earlier?.catch(() => undefined)
    const text = this.#waiting.splice(0).join("")
    this.#handle ??= open(this.#path, "a")
    try {
      await (await this.#handle).appendFile(text)
    } catch (cause) {
      await this.close().catch(() => undefined)
      throw cause
    }
  }
}
