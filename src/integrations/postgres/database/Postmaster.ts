/** What tells whose database works in an embedded data folder: process ids are reused, so it counts as ours only when it works in our folder. */
import { readFile, realpath } from "node:fs/promises"
import { join } from "node:path"
import { undefinedIf } from "../../storage/FileErrors.ts"
import { alive, startTime } from "../../storage/ProcessLife.ts"

/** Only a file that is not there means that no database works here: one that cannot be read may be a living one's. */
const readPid = (data: string) => readFile(join(data, "postmaster.pid"), "utf8").catch(undefinedIf("ENOENT"))

/** The port of the database working in `data`, once it takes connections; `undefined` until then. */
export const readyPort = async (data: string): Promise<number | undefined> => {
  const lines = (await readPid(data))?.split("\n")
  return lines?.[7]?.trim() === "ready" ? Number(lines[3]) : undefined
}

/** The process id in `postmaster.pid`, or `undefined` when there is no such file. */
export const readPostmaster = async (data: string): Promise<number | undefined> => {
  const text = await readPid(data)
  if (text === undefined) return undefined
  const pid = Number(text.split("\n")[0])
  return Number.isInteger(pid) && pid > 0 ? pid : 0
}

/** Whether that process is a database working in `data` (without /proc: whether it is alive at all). */
export const isOurs = async (pid: number, data: string): Promise<boolean> => {
  if (pid === 0 || !alive(pid)) return false
  if ((await startTime(process.pid)) === undefined) return true
  const [cwd, folder] = await Promise.all([realpath(`/proc/${pid}/cwd`).catch(() => undefined), realpath(data)])
  return cwd === folder
}
