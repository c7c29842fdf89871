/**
 * Reads documents in threads of their own, one for each document: a hostile one may take all of its thread's time and memory, and is then stopped; the
 * process goes on. A few are read at once, the others wait.
 */
import { Effect, Layer, Semaphore } from "effect"
import { DocumentReader, type ReadDocument, UnreadableDocument } from "../../domain/ai/knowledge/Documents.ts"
import { threadAnswer } from "../threads/LimitedThread.ts"
import type { DocumentTask } from "./DocumentKinds.ts"
import type { DocumentAnswer } from "./DocumentThread.ts"

export interface DocumentReaderOptions {
  /** Milliseconds for one document. */
  readonly timeoutMs?: number
  /** Megabytes of one document's thread. */
  readonly memoryMb?: number
}

const atOnce = 2

const unreadable = {
  too_large: "The document needs too much memory to be read. Divide it, or save it in another format.",
  broken: "The document is damaged and cannot be read."
} as const

const inThread = (task: DocumentTask, memoryMb: number): Effect.Effect<ReadDocument, UnreadableDocument> =>
  threadAnswer<DocumentAnswer>({ module: new URL("./DocumentThread.ts", import.meta.url), task, memoryMb }).pipe(
    Effect.mapError((why) => new UnreadableDocument({ message: unreadable[why] })),
    Effect.flatMap((answer) =>
      answer._tag === "Read"
        ? Effect.succeed(answer.document)
        : Effect.fail(new UnreadableDocument({ message: answer.message }))
    )
  )

export const layer = ({
  timeoutMs = 60_000,
  memoryMb = 256
}: DocumentReaderOptions = {}): Layer.Layer<DocumentReader> =>
  Layer.effect(
    DocumentReader,
    Effect.map(Semaphore.make(atOnce), (few) => ({
      read: (bytes, claimed) =>
        few.withPermits(1)(
          inThread({ bytes, ...claimed }, memoryMb).pipe(
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
