/** Behaves to its supervisor as a worker does that has no calls: ready at once, gone when it is told to drain. */
import type { ToWorker } from "../../src/cli/process/SupervisedWorker.ts"

process.on("message", ({ type }: ToWorker) => {
  if (type === "drain" || type === "stop") process.exit(0)
})
process.send?.({ type: "ready" })
