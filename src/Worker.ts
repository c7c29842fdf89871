/** A worker's side of its supervisor (`cli/supervisor`): says that it is ready, hears how many there are, and stops when it is told to. */
import { Effect } from "effect"

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

/** Signals count from here on: the first asks to stop, and running calls are waited for; the second one means now. */
export const signals = Effect.sync(() => {
  let seen = 0
  const count = () => void seen++
  process.on("SIGTERM", count)
  process.on("SIGINT", count)
  return { seen: () => seen, hurry: Effect.sync(() => seen > 1) }
})

/** Longer than anything needs that is given time when a process closes: running requests 5 s, the actors of conversations 5 s. */
const closingMs = 20_000

/** From now on the process has so long to close by itself. What does not end by then (a peer that never answers) must not keep it. */
export const endSoon = Effect.sync(() => {
  setTimeout(() => {
    process.stderr.write("The process did not close in time and is ended.\n")
    process.exit(1)
  }, closingMs).unref()
})

/** Only for a process that a supervisor started. A supervisor that is gone counts as being told to drain. */
export const attach = Effect.fnUntraced(function* (of: number, seen: () => number) {
  let status: WorkersAlive = { alive: 0, of }
  const raise = (times: number) => {
    while (seen() < times) process.emit("SIGTERM")
  }
  process.on("message", (message: ToWorker) => {
    switch (message.type) {
      case "status":
        status = { alive: message.alive, of: message.of }
        return
      case "drain":
        return raise(1)
      case "stop":
        return raise(2)
    }
  })
  process.on("disconnect", () => raise(1))
  return {
    alive: Effect.sync(() => status),
    ready: Effect.sync(() => void process.send?.({ type: "ready" } satisfies FromWorker))
  }
})
