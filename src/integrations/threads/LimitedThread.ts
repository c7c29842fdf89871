/**
 * Runs a module in a thread of its own, which gives one answer. A hostile input may take all of the thread's time and memory, and the thread is then stopped;
 * the process goes on.
 */
import { Worker } from "node:worker_threads"
import { Effect } from "effect"

export interface LimitedThread {
  readonly module: URL
  /** What the module finds in `workerData`. */
  readonly task: unknown
  /** Megabytes of the thread's heap; twice as much outside of it. */
  readonly memoryMb: number
}

/** Why there is no answer: the thread needed too much memory, or broke. */
export type ThreadEnded = "too_large" | "broken"

/** How often the memory outside of the thread's heap is looked at. */
const watchMs = 100

/** The first message of the thread. The thread ends with it, and when it is not waited for any more. */
export const threadAnswer = <Answer>({ module, task, memoryMb }: LimitedThread): Effect.Effect<Answer, ThreadEnded> =>
  Effect.callback<Answer, ThreadEnded>((resume) => {
    const ended = (why: ThreadEnded) => resume(Effect.fail(why))
    const worker = new Worker(module, {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
      // What a library prints about its input is no business of this process.
      stdout: true,
      stderr: true,
      env: {}
    })
    // The limits of the thread do not count buffers, which are outside of its heap.
    const before = process.memoryUsage().arrayBuffers
    const watch = setInterval(() => {
      if (process.memoryUsage().arrayBuffers - before > 2 * memoryMb * 1024 * 1024) ended("too_large")
    }, watchMs)
    worker.on("message", (answer: Answer) => resume(Effect.succeed(answer)))
    worker.on("error", (error) =>
      ended("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "too_large" : "broken")
    )
    worker.on("exit", () => ended("broken"))
    return Effect.promise(async () => {
      clearInterval(watch)
      await worker.terminate()
    })
  })
