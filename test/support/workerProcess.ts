/**
 * Behaves towards its supervisor like a worker without calls: ready at once, gone when it is told to drain, and in its place as soon as that is free. The
 * version that is broken ends instead, before it is prepared.
 */
import type { FromWorker, ToWorker } from "../../src/cli/process/SupervisedWorker.ts"

const tell = (message: FromWorker) => process.send?.(message)

if (process.env.PARLEY_SUCCESSOR === "broken") process.exit(3)

process.on("message", (message: ToWorker) => {
  switch (message.type) {
    case "drain":
    case "stop":
      return process.exit(0)
    case "leave":
      return tell({ type: "leaves" })
    case "listen":
      return tell({ type: "listens" })
    case "take":
      return tell({ type: "ready" })
    case "go":
      tell({ type: "left" })
      return setTimeout(() => process.exit(0), 20)
  }
})
if (process.env.PARLEY_SUCCESSOR === undefined) tell({ type: "ready" })
else tell({ type: "prepared", checkpoints: 1 })
