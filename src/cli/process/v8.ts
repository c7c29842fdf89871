/** How V8 works beside a service: its collector and compiler take what calls leave of the processor (docs/performance.md, "Threads beside the main one"). */
import { readdirSync, readFileSync } from "node:fs"
import { getPriority, setPriority } from "node:os"
import { setFlagsFromString } from "node:v8"
import { Effect } from "effect"

/** Of V8's own threads, beside the main one: on a core they share, the main one gets nine tenths. */
const niceness = 10

/** The old generation may be so much larger than what lives in it, in percent, before it is marked: V8 itself allows some 30. */
const growthPercent = 100

/** Pause between two steps of marking, ms: without one they follow each other until they are through, and the event loop stands still for 100 ms. */
const stepPauseMs = 10

/** Linux shows the threads of a process as files, and takes the id of a thread where it takes that of a process. */
const tasks = "/proc/self/task"
const nameOf = (thread: number) => readFileSync(`${tasks}/${thread}/comm`, "utf8")

/** V8's threads are called as the main one is, those of libuv (files, names, ciphers) are not. */
const helpers = (): ReadonlyArray<number> => {
  const threads = readdirSync(tasks).map(Number)
  return threads.filter((thread) => thread !== process.pid && nameOf(thread) === nameOf(process.pid))
}

/** To be run at the start, before there are threads of anybody else. Elsewhere than on Linux threads stay as they are. */
export const yieldToCalls = Effect.gen(function* () {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
  setFlagsFromString(`--incremental-marking-task-delay-ms=${stepPauseMs}`)
  if (process.platform !== "linux") return
  yield* Effect.try(() => {
    // A service that is itself told to stand back stays behind.
    const least = Math.max(niceness, getPriority())
    for (const thread of helpers()) setPriority(thread, least)
  }).pipe(Effect.catch((error) => Effect.logWarning("V8's threads keep their priority", error.cause)))
})
