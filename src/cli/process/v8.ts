/** Makes V8's garbage collector and compiler yield the processor to calls (docs/performance.md, "Threads beside the main one"). */
import { readdirSync, readFileSync } from "node:fs"
import { constants, getPriority, setPriority } from "node:os"
import { setFlagsFromString } from "node:v8"
import { Effect } from "effect"

/** How much nicer V8's own threads are. On a core that they share with the main thread, the main thread gets nine tenths. */
const helpersBehind = 10

/** How far the old generation may grow above its live size before it is marked, in percent. V8's default is some 30. */
const growthPercent = 100

/** Pause between two steps of marking, ms. Without it the steps run in one go, and the event loop stands still for 100 ms. */
const stepPauseMs = 10

/** Linux lists the threads of a process here, and accepts a thread's id where it accepts a process id. */
const tasks = "/proc/self/task"
const nameOf = (thread: number) => readFileSync(`${tasks}/${thread}/comm`, "utf8")

/** The ids of V8's threads. They have the name of the main thread; those of libuv (files, names, ciphers) do not. */
const helpers = (): ReadonlyArray<number> => {
  const threads = readdirSync(tasks).map(Number)
  return threads.filter((thread) => thread !== process.pid && nameOf(thread) === nameOf(process.pid))
}

/** How much nicer an engine is whose sound is in a process of its own: on a core that they share, the sound gets it first. */
const behindSound = 2

/** The niceness that the whole service was given, to which others are relative: a service that is put before or behind the rest of a machine is so as a whole. */
const given = getPriority()
const least = (behind: number) => Math.min(constants.priority.PRIORITY_LOW, given + behind)

/**
 * Puts this process behind the one that holds the sound of its calls; a second time changes nothing. Run it before other threads are started: they
 * inherit it.
 */
export const yieldToSound = Effect.try(() => setPriority(Math.max(least(behindSound), getPriority()))).pipe(
  Effect.catch((error) => Effect.logWarning("the engine keeps its priority", error.cause))
)

/** Run it at the start, before other libraries start threads. The thread priorities change on Linux only. */
export const yieldToCalls = Effect.gen(function* () {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
  setFlagsFromString(`--incremental-marking-task-delay-ms=${stepPauseMs}`)
  if (process.platform !== "linux") return
  yield* Effect.try(() => {
    const niceness = Math.max(least(helpersBehind), getPriority())
    for (const thread of helpers()) setPriority(thread, niceness)
  }).pipe(Effect.catch((error) => Effect.logWarning("V8's threads keep their priority", error.cause)))
})
