/**
 * Files that are through, kept open and empty for the next calls. Making files is the dearest thing that a call asks of the system when others are taken
 * off the disk at the same time: ext4 gives no inode away that was deleted within the last 5 s, and looks through all of them for each new file (0.5 ms of
 * the frames' thread for each of 100 calls a second). A file that only changes its name has its inode already.
 */
import { closeSync, existsSync, ftruncateSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"

interface Spare {
  readonly descriptor: number
  readonly path: string
}

/** More are taken off the disk. */
const mostKept = 256

export class SpareFiles {
  readonly #folder: string
  readonly #spares: Array<Spare> = []
  #made = 0

  /** `folder`: on the disk of the files, and for nothing else; made when there is something to keep. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** An empty file under this path, open for appending, if one is there to be had. What exists under the path is left alone. */
  take(path: string): number | undefined {
    if (existsSync(path)) return undefined
    for (let spare = this.#spares.pop(); spare !== undefined; spare = this.#spares.pop()) {
      try {
        renameSync(spare.path, path)
        return spare.descriptor
      } catch {
        // Somebody has taken it away: the next, or none.
        closeSync(spare.descriptor)
      }
    }
    return undefined
  }

  /** Takes over an open file, which is gone from its path then, and all that was in it. */
  put(descriptor: number, path: string): void {
    if (this.#spares.length >= mostKept || !this.#keep(descriptor, path)) {
      closeSync(descriptor)
      rmSync(path, { force: true })
    }
  }

  /** Closes all, and takes them off the disk. */
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
      // No place for spares, or another disk: the file goes as it would without them.
      return false
    }
    this.#spares.push(spare)
    return true
  }
}
