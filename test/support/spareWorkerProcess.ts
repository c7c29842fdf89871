/** Behaves towards its supervisor like a worker without calls; one that is spare is ready when it is told to begin. */
import type { ToSpare } from "../../src/cli/process/SpareWorker.ts"

const ready = () => process.send?.({ type: "ready" })

process.on("message", ({ type }: ToSpare) => {
  if (type === "begin") ready()
  if (type === "drain" || type === "stop") process.exit(0)
})
if (process.env.PARLEY_SPARE === undefined) ready()
