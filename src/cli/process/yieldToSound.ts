/** Puts an engine behind the process that holds the sound of its calls: on a core that they share, the sound gets it first. */
import { constants, getPriority, setPriority } from "node:os"

/** How much nicer the engine is. It is relative to what the service was given: that puts it before or behind the rest of the machine as a whole. */
const behindSound = 2

/** Once, at the start of the process: threads that are started later inherit it. Without it the engine works all the same. */
export const yieldToSound = (): void => {
  try {
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + behindSound))
  } catch (cause) {
    process.emitWarning(`The engine keeps its priority: ${String(cause)}`)
  }
}
