/**
 * Files that are no longer needed, kept open and empty for the next calls. Creating a file is the most expensive system call of a call when other
 * files are deleted at the same time. ext4 does not reuse an inode that was deleted within the last 5 s, and searches all of them for each new file
 * (0.5 ms of the frames' thread for each of 100 calls a second). Renaming a file needs no new inode.
 */
import { closeSync, existsSync, ftruncateSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"

interface Spare {
  readonly descriptor: number
  readonly path: string
}

/** Files beyond this number are deleted. */
const mostKept = 256

export class SpareFiles {
  readonly #folder: string
  readonly #spares: Array<Spare> = []
  #made = 0

  /** `folder`: on the same disk as the files, used for nothing else, and created when there is a file to keep. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** The descriptor of an empty file at this path, open for appending. Undefined when there is no spare, or when the path already exists. */
  take(path: string): number | undefined {
    if (existsSync(path)) return undefined
    for (let spare = this.#spares.pop(); spare !== undefined; spare = this.#spares.pop()) {
      try {
        renameSync(spare.path, path)
        return spare.descriptor
      } catch {
        // The file was removed from outside: tries the next one.
        closeSync(spare.descriptor)
      }
    }
    return undefined
  }

  /** Takes over an open file. Afterwards it is gone from its path, and its content is deleted. */
  put(descriptor: number, path: string): void {
    if (this.#spares.length >= mostKept || !this.#keep(descriptor, path)) {
      closeSync(descriptor)
      rmSync(path, { force: true })
    }
  }

  /** Closes all spares and deletes them. */
  clear(): void {
    for (const { descriptor } of this.#spares.splice(0)) closeSync(descriptor)
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #keep(descriptor: number, path: string): boolean {
    const spare = { descriptor, path: join(this.#folder, String(this.#made++)) }
    try {
      if (this.#spares.length === 0) mkdirSync(this.#folder, { recursive: true })
      ftruncateSync(descriptor)
      renameSync(path, spare.path)
    } catch {
      // The folder cannot be used, or is on another disk: the file is deleted instead.
      return false
    }
    this.#spares.push(spare)
    return true
  }
}
