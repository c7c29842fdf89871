/** Folders of files that are being written: what a crash left in them is removed. */
import { mkdir, readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"

/** What a crash left behind is removed after this; a running upload of another process is younger. */
const draftLifetimeMs = 24 * 60 * 60 * 1_000

const sweep = async (folder: string, nowMs: number): Promise<void> => {
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    if ((await stat(file)).mtimeMs + draftLifetimeMs <= nowMs) await rm(file, { force: true })
  }
}

/** Makes the folder and removes what is older than a day. Without a folder nothing can be stored, but everything else works. */
export const sweepDrafts = (folder: string, nowMs: number) =>
  Effect.tryPromise(() => sweep(folder, nowMs)).pipe(
    Effect.catch((error) =>
      Effect.logWarning("the folder of files that are being written cannot be used", { folder }, error)
    )
  )
