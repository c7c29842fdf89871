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

/** Run it at the start, before other libraries start threads. The thread priorities change on Linux only. */
export const yieldToCalls = Effect.gen(function* () {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
  setFlagsFromString(`--incremental-marking-task-delay-ms=${stepPauseMs}`)
  if (process.platform !== "linux") return
  yield* Effect.try(() => {
    const niceness = Math.min(constants.priority.PRIORITY_LOW, getPriority() + helpersBehind)
    for (const thread of helpers()) setPriority(thread, niceness)
  }).pipe(Effect.catch((error) => Effect.logWarning("V8's threads keep their priority", error.cause)))
})
