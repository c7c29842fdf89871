/** Folders for files that are being written, from which files left by a crash are removed. */
import { mkdir, readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"

/** Files older than this were left by a crash; a running upload of another process is younger. Milliseconds. */
const draftLifetimeMs = 24 * 60 * 60 * 1_000

const sweep = async (folder: string, nowMs: number): Promise<void> => {
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    if ((await stat(file)).mtimeMs + draftLifetimeMs <= nowMs) await rm(file, { force: true })
  }
}

/** Creates the folder and removes files older than a day. A failure is only logged: without the folder nothing can be stored, but the rest works. */
export const sweepDrafts = (folder: string, nowMs: number) =>
  Effect.tryPromise(() => sweep(folder, nowMs)).pipe(
    Effect.catch((error) =>
      Effect.logWarning("the folder of files that are being written cannot be used", { folder }, error)
    )
  )
