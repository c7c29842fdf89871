/** Whether a process lives, and since when: process ids are reused, so only both together name one (start times: Linux). */
import { readFile } from "node:fs/promises"
import { hasCode } from "./FileErrors.ts"

export const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    // EPERM: it exists and belongs to somebody else.
    return hasCode(cause, "EPERM")
  }
}

/** Clock ticks from boot to the start of a process; `undefined` for one that has ended (also a zombie), or where there is no /proc. */
export const startTime = async (pid: number): Promise<string | undefined> => {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch((): undefined => undefined)
  // The command name in parentheses may hold spaces; the fields after it do not: first the state, 19 further the start time.
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ")
  return fields?.[0] === "Z" ? undefined : fields?.[19]
}
