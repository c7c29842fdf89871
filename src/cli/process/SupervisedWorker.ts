/** The worker's connection to its supervisor (`cli/process/supervisor`). It reports ready, receives the number of workers, and stops when told. */
import { Effect } from "effect"
import type { Stopping } from "./Stopping.ts"

export type FromWorker = { readonly type: "ready" }

export type ToWorker =
  | { readonly type: "status"; readonly alive: number; readonly of: number }
  /** Does what the first signal does: drain, then end. */
  | { readonly type: "drain" }
  /** Does what the second signal does: end at once. */
  | { readonly type: "stop" }

export interface WorkersAlive {
  readonly alive: number
  readonly of: number
}

/** Connects a process that a supervisor started; `of` is the number of workers. When the supervisor is gone, the worker drains. */
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
