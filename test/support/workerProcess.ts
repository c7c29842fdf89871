/** Behaves towards its supervisor like a worker without calls: ready at once, and gone when it is told to drain. */
import type { ToWorker } from "../../src/cli/process/SupervisedWorker.ts"

process.on("message", ({ type }: ToWorker) => {
  if (type === "drain" || type === "stop") process.exit(0)
})
process.send?.({ type: "ready" })
