/** Whether a process lives, and when it started. Process ids are reused, so only both together identify a process (start times: Linux). */
import { readFile } from "node:fs/promises"
import { hasCode } from "./FileErrors.ts"

export const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    // EPERM: it exists and belongs to another user.
    return hasCode(cause, "EPERM")
  }
}

/** Clock ticks from boot to the start of a process; `undefined` for one that has ended (also a zombie), or where there is no /proc. */
export const startTime = async (pid: number): Promise<string | undefined> => {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch((): undefined => undefined)
  // The command name in parentheses may hold spaces. The fields after it do not: the first is the state, and 19 further is the start time.
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ")
  return fields?.[0] === "Z" ? undefined : fields?.[19]
}
