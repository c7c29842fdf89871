/** How a process is asked to stop, as the only process, a supervisor or a worker. It also ends a process that does not close in time. */
import { Effect, Queue } from "effect"

/**
 * One request to stop may come as several signals: npm passes on a signal that the terminal or systemd has already sent to every process.
 * Signals within this time after the first belong to the same request.
 */
const oneRequestMs = 1_000

/** The requests to stop this process: first to let running calls end, then, if it is asked again, to end at once. */
export interface Stopping {
  /** True once the process was asked to end at once. */
  readonly hurry: Effect.Effect<boolean>
  /** Does what the first signal does, without counting as one: a parent's message and a signal of the same request must not count twice. */
  readonly drain: () => void
  /** Does what the second signal does. */
  readonly stop: () => void
}

/** Starts counting signals. */
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

/** What a process without a parent does at SIGHUP, which asks for a reload or says that the terminal is gone: it ends in order, and says why. */
export const endAtHangUp = Effect.fnUntraced(function* ({ drain }: Stopping) {
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  process.on("SIGHUP", () => {
    runFork(
      Effect.logWarning(
        "SIGHUP ends this process: it has no parent that could start another one in its place. Start it with --sound process or --workers to reload it."
      )
    )
    drain()
  })
})

/** Requests to reload (SIGHUP): the effect completes at the next one. Those that come before that are one. */
export const reloads = Effect.gen(function* () {
  const noted = yield* Queue.sliding<void>(1)
  process.on("SIGHUP", () => void Queue.offerUnsafe(noted, undefined))
  return Queue.take(noted)
})

/** Longer than everything that gets time when a process closes: running requests 5 s, the actors of conversations 5 s. */
const closingMs = 20_000

/** Ends the process unless it closes by itself within `closingMs`. A peer that never answers must not keep it running. */
export const endSoon = Effect.sync(() => {
  setTimeout(() => {
    process.stderr.write("The process did not close in time and is ended.\n")
    process.exit(1)
  }, closingMs).unref()
})
