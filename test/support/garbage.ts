/** What this process holds: garbage does not count, however busy the machine is. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")
const collect: () => void = runInNewContext("gc")

/** Twice: what the first collection leaves to finalizers is gone after the second. */
export const collectGarbage = (): void => {
  collect()
  collect()
}

/** Bytes of the heap and of buffers after a collection. */
export const heldBytes = (): number => {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
