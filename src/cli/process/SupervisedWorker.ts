/** A worker's side of its supervisor (`cli/process/supervisor`): says that it is ready, hears how many there are, and stops when it is told to. */
import { Effect } from "effect"
import type { Stopping } from "./Stopping.ts"

export type FromWorker = { readonly type: "ready" }

export type ToWorker =
  | { readonly type: "status"; readonly alive: number; readonly of: number }
  /** As the first signal does: drain, then end. */
  | { readonly type: "drain" }
  /** As the second signal does: end now. */
  | { readonly type: "stop" }

export interface WorkersAlive {
  readonly alive: number
  readonly of: number
}

/** Only for a process that a supervisor started. A supervisor that is gone counts as being told to drain. */
export const attach = Effect.fnUntraced(function* (of: number, { drain, stop }: Stopping) {
  let status: WorkersAlive = { alive: 0, of }
  process.on("message", (message: ToWorker) => {
    switch (message.type) {
      case "status":
        status = { alive: message.alive, of: message.of }
        return
      case "drain":
        return drain()
      case "stop":
        return stop()
    }
  })
  process.on("disconnect", drain)
  return {
    alive: Effect.sync(() => status),
    ready: Effect.sync(() => void process.send?.({ type: "ready" } satisfies FromWorker))
  }
})
