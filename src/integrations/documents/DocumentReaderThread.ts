/**
 * Reads documents in threads of their own, one for each document: a hostile one may take all of its thread's time and memory, and is then stopped; the
 * process goes on. A few are read at once, the others wait.
 */
import { Worker } from "node:worker_threads"
import { Effect, Layer, Semaphore } from "effect"
import { DocumentReader, type ReadDocument, UnreadableDocument } from "../../domain/ai/knowledge/Documents.ts"
import type { DocumentTask } from "./DocumentKinds.ts"
import type { DocumentAnswer } from "./DocumentThread.ts"

export interface DocumentReaderOptions {
  /** Milliseconds for one document. */
  readonly timeoutMs?: number
  /** Megabytes of one document's thread. */
  readonly memoryMb?: number
}

const atOnce = 2
/** How often the memory outside of the thread's heap is looked at. */
const watchMs = 100

const tooLarge = "The document needs too much memory to be read. Divide it, or save it in another format."

const inThread = (task: DocumentTask, memoryMb: number) =>
  Effect.callback<ReadDocument, UnreadableDocument>((resume) => {
    const unreadable = (message: string) => resume(Effect.fail(new UnreadableDocument({ message })))
    const worker = new Worker(new URL("./DocumentThread.ts", import.meta.url), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
      // What a library prints about a document is no business of this process.
      stdout: true,
      stderr: true,
      env: {}
    })
    // The limits of the thread do not count buffers, which are outside of its heap.
    const before = process.memoryUsage().arrayBuffers
    const watch = setInterval(() => {
      if (process.memoryUsage().arrayBuffers - before > 2 * memoryMb * 1024 * 1024) unreadable(tooLarge)
    }, watchMs)
    worker.on("message", (answer: DocumentAnswer) =>
      answer._tag === "Read" ? resume(Effect.succeed(answer.document)) : unreadable(answer.message)
    )
    worker.on("error", (error) =>
      unreadable(
        "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
          ? tooLarge
          : "The document is damaged and cannot be read."
      )
    )
    worker.on("exit", () => unreadable("The document is damaged and cannot be read."))
    return Effect.promise(async () => {
      clearInterval(watch)
      await worker.terminate()
    })
  })

export const layer = ({
  timeoutMs = 60_000,
  memoryMb = 256
}: DocumentReaderOptions = {}): Layer.Layer<DocumentReader> =>
  Layer.effect(
    DocumentReader,
    Effect.map(Semaphore.make(atOnce), (few) => ({
      read: (bytes, claimed) =>
        few.withPermits(1)(
          Effect.scoped(inThread({ bytes, ...claimed }, memoryMb)).pipe(
            Effect.timeoutOrElse({
              duration: timeoutMs,
              orElse: () =>
                Effect.fail(
                  new UnreadableDocument({
                    message: `Reading the document took longer than ${timeoutMs / 1_000} seconds. Divide it, or save it in another format.`
                  })
                )
            })
          )
        )
    }))
  )
