/**
 * Who uses an embedded data folder. Process ids are reused (in containers nearly always), so a process counts as the recorded one
 * only when its start time is the same (Linux), and a database counts as ours only when it works in our folder.
 */
import { randomBytes } from "node:crypto"
import { link, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

const ownerFile = (root: string) => join(root, "owner")

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    // EPERM: it exists and belongs to somebody else.
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}

const absent = (): undefined => undefined

/** Turns a failure with this code into `false`; any other stays a failure. */
const notIf = (code: string) => (cause: NodeJS.ErrnoException) => {
  if (cause.code !== code) throw cause
  return false
}

/** Clock ticks from boot to the start of a process; `undefined` for one that has ended (also a zombie), or where there is no /proc. */
const startTime = async (pid: number): Promise<string | undefined> => {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(absent)
  // The command name in parentheses may hold spaces; the fields after it do not: first the state, 19 further the start time.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")
  return fields?.[0] === "Z" ? undefined : fields?.[19]
}

const ownerLives = async (root: string): Promise<boolean> => {
  const text = await readFile(ownerFile(root), "utf8").catch(absent)
  if (text === undefined) return false
  const { pid, started } = JSON.parse(text)
  return Number.isInteger(pid) && alive(pid) && (await startTime(pid)) === started
}

/** Makes this process the user of the folder; false when a living one (this one too) already is. */
export const claim = async (root: string): Promise<boolean> => {
  const draft = `${ownerFile(root)}.${process.pid}.${randomBytes(4).toString("hex")}`
  await writeFile(draft, JSON.stringify({ pid: process.pid, started: await startTime(process.pid) }))
  try {
    // A link appears with its whole content or not at all, and only one process can make it.
    const made = () => link(draft, ownerFile(root)).then(() => true, notIf("EEXIST"))
    if (await made()) return true
    if (await ownerLives(root)) return false
    await rm(ownerFile(root), { force: true })
    return await made()
  } finally {
    await rm(draft, { force: true })
  }
}

/** Gives the folder up. */
export const release = (root: string): Promise<void> => rm(ownerFile(root), { force: true })

/** The port of the database working in `data`, once it takes connections; `undefined` until then. */
export const readyPort = async (data: string): Promise<number | undefined> => {
  const lines = (await readFile(join(data, "postmaster.pid"), "utf8").catch(absent))?.split("\n")
  return lines?.[7]?.trim() === "ready" ? Number(lines[3]) : undefined
}

/** The process id in `postmaster.pid`, or `undefined` when there is no such file. */
export const readPostmaster = async (data: string): Promise<number | undefined> => {
  const text = await readFile(join(data, "postmaster.pid"), "utf8").catch(absent)
  if (text === undefined) return undefined
  const pid = Number(text.split("\n")[0])
  return Number.isInteger(pid) && pid > 0 ? pid : 0
}

/** Whether that process is a database working in `data` (without /proc: whether it is alive at all). */
export const isOurs = async (pid: number, data: string): Promise<boolean> => {
  if (pid === 0 || !alive(pid)) return false
  if ((await startTime(process.pid)) === undefined) return true
  const [cwd, folder] = await Promise.all([realpath(`/proc/${pid}/cwd`).catch(absent), realpath(data)])
  return cwd === folder
}
