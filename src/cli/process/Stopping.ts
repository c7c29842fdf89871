/** How a process is asked to stop, whichever it is: the only one, a supervisor or a worker; and that it does stop in the end. */
import { Effect } from "effect"

/**
 * One request to stop may come as several signals: npm passes on what the terminal or systemd has already sent to every process. Those that follow
 * the first within this time say nothing new.
 */
const oneRequestMs = 1_000

/** How this process is asked to stop: first to let running calls come to their end, then, perhaps, to end now. */
export interface Stopping {
  readonly hurry: Effect.Effect<boolean>
  /** As the first signal does; not counted as one, so that a parent's word and a signal of one and the same request are not two. */
  readonly drain: () => void
  /** As the second signal does. */
  readonly stop: () => void
}

/** Signals count from here on. */
export const signals: Effect.Effect<Stopping> = Effect.sync(() => {
  let firstAt = Number.POSITIVE_INFINITY
  let now = false
  let fromParent = false
  const count = () => {
    if (fromParent) return
    const at = performance.now()
    if (at - firstAt > oneRequestMs) now = true
    firstAt = Math.min(firstAt, at)
  }
  process.on("SIGTERM", count)
  process.on("SIGINT", count)
  const drain = () => {
    fromParent = true
    process.emit("SIGTERM")
    fromParent = false
  }
  const stop = () => {
    now = true
    drain()
  }
  return { hurry: Effect.sync(() => now), drain, stop }
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
