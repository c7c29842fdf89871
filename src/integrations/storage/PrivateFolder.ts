/**
 * Closes the data folder to other users of the host: recordings, files of messages and journals are for the service alone. New files are private by
 * the umask; files from before are closed here, once.
 */
import { chmod, mkdir, readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { hasCode } from "./FileErrors.ts"

/** Files of this process are readable and writable by its user only. */
export const privateUmask = 0o077

/** The embedded database keeps its own folder private. As root it runs as another user, who must be able to reach it. */
const database = "postgres"
const fileMode = 0o600
const folderMode = 0o700
const passableMode = process.getuid?.() === 0 ? 0o711 : folderMode

/** Others may read or write it. A folder that is not was closed with all that is in it. */
const isOpen = (mode: number): boolean => (mode & 0o066) !== 0

/** What is deleted meanwhile needs no other mode; what another user owns is theirs. */
const change = (path: string, mode: number): Promise<void> =>
  chmod(path, mode).catch((cause: unknown) => {
    if (!hasCode(cause, "ENOENT", "EPERM", "EROFS")) throw cause
  })

const listed = (folder: string) =>
  readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    if (hasCode(cause, "ENOENT", "EACCES")) return []
    throw cause
  })

/** Closes a folder with everything in it, itself last: after a crash the next start begins again. Links are not followed. */
const closeFolder = async (folder: string): Promise<void> => {
  const entries = await listed(folder)
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && entry.name !== database) await closeFolder(path)
    else if (entry.isFile()) await change(path, fileMode)
  }
  await change(folder, entries.some(({ name }) => name === database) ? passableMode : folderMode)
}

const close = async (dataDir: string): Promise<boolean> => {
  await mkdir(dataDir, { recursive: true, mode: passableMode })
  let found = false
  for (const entry of await listed(dataDir)) {
    const path = join(dataDir, entry.name)
    if (entry.name === database || !(entry.isDirectory() || entry.isFile())) continue
    const mode = await stat(path).then(
      (found) => found.mode,
      () => 0
    )
    if (!isOpen(mode)) continue
    found = true
    await (entry.isDirectory() ? closeFolder(path) : change(path, fileMode))
  }
  await change(dataDir, passableMode)
  return found
}

/** Makes the data folder if it is missing, and closes it. The first time it takes as long as it takes to visit each file. */
export const closeToOthers = (dataDir: string): Effect.Effect<void> =>
  Effect.tryPromise(() => close(dataDir)).pipe(
    Effect.flatMap((found) =>
      found
        ? Effect.logInfo("the data folder was open to other users of this host, and was closed", { dataDir })
        : Effect.void
    ),
    Effect.catch((cause) => Effect.logWarning("the data folder cannot be closed to other users", { dataDir }, cause))
  )
