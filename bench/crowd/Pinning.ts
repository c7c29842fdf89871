/** Gives the engine its own processor, and everything else the others. Used with `--pin`, and by `floor` where the system allows it. */
import { execFileSync } from "node:child_process"
import { availableParallelism } from "node:os"
import { OptionsInvalid } from "../support/Options.ts"

/**
 * Moves this process (and what it starts from now on) away from processor 0, which is given back for the engine; undefined when nothing was
 * asked for. Throws OptionsInvalid where that cannot be done.
 */
export const pinned = (wanted: boolean): number | undefined => {
  if (!wanted) return undefined
  const count = availableParallelism()
  if (count < 2) throw new OptionsInvalid("--pin needs at least two processors")
  try {
    execFileSync("taskset", ["-a", "-p", "-c", `1-${count - 1}`, String(process.pid)], { stdio: "ignore" })
  } catch (cause) {
    throw new OptionsInvalid(`--pin needs the program taskset: ${cause instanceof Error ? cause.message : cause}`)
  }
  return 0
}

/** As `pinned`, but where it cannot be done nothing is: undefined. */
export const pinnedIfPossible = (): number | undefined => {
  try {
    return pinned(true)
  } catch (cause) {
    if (cause instanceof OptionsInvalid) return undefined
    throw cause
  }
}
