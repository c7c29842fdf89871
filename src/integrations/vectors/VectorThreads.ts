/**
 * Threads that hold and compare vectors, so that no request waits for it on the thread of the calls. An organization belongs to one thread. A thread is
 * started when it is needed; one that breaks is started again, empty.
 */
import { createHash } from "node:crypto"
import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import { Effect, Semaphore } from "effect"
import type { Near, VectorBlock } from "./NearestVectors.ts"
import type { VectorAnswer, VectorTask } from "./VectorThread.ts"

const mostThreads = 4

/** Questions that a thread has at once. The others wait here, so that one whose asker has given up costs nothing. */
const mostAtOnce = 2

interface Thread {
  readonly worker: Worker
  readonly waiting: Map<number, (near: ReadonlyArray<Near>) => void>
}

/** Threads for the life of the scope. `lost` is told which organizations' vectors are gone with a thread. */
export const makeVectorThreads = Effect.fnUntraced(function* (
  lost: (isLost: (organizationId: string) => boolean) => void
) {
  const count = Math.max(1, Math.min(mostThreads, Math.floor(availableParallelism() / 2)))
  const threads = new Map<number, Thread>()
  const turns = yield* Effect.forEach(Array.from({ length: count }), () => Semaphore.make(mostAtOnce))
  let asked = 0

  const placeOf = (organizationId: string): number =>
    createHash("sha256").update(organizationId).digest().readUInt32BE() % count

  const start = (place: number): Thread => {
    const worker = new Worker(new URL("./VectorThread.ts", import.meta.url), { env: {} })
    const waiting = new Map<number, (near: ReadonlyArray<Near>) => void>()
    const thread = { worker, waiting }
    worker.unref()
    worker.on("message", ({ id, near }: VectorAnswer) => {
      waiting.get(id)?.(near)
      waiting.delete(id)
    })
    const end = () => {
      if (threads.get(place) !== thread) return
      threads.delete(place)
      lost((organizationId) => placeOf(organizationId) === place)
      for (const answer of waiting.values()) answer([])
    }
    worker.on("error", end)
    worker.on("exit", end)
    threads.set(place, thread)
    return thread
  }

  const threadOf = (organizationId: string): Thread => {
    const place = placeOf(organizationId)
    return threads.get(place) ?? start(place)
  }

  yield* Effect.addFinalizer(() =>
    Effect.promise(async () => {
      const all = [...threads.values()]
      threads.clear()
      await Promise.all(all.map(({ worker }) => worker.terminate()))
    })
  )

  const tell = (task: VectorTask, transfer: ReadonlyArray<ArrayBuffer> = []) =>
    threadOf(task.organizationId).worker.postMessage(task, transfer)

  return {
    /** Hands a source's vectors over to the thread: they cannot be used here afterwards. */
    hold: (organizationId: string, sourceId: string, block: VectorBlock) =>
      tell({ _tag: "Hold", organizationId, sourceId, block }, [
        block.numbers.buffer as ArrayBuffer,
        block.values.buffer as ArrayBuffer
      ]),
    /** Forgets a source, or all of an organization. */
    drop: (organizationId: string, sourceId?: string) =>
      tell({ _tag: "Drop", organizationId, ...(sourceId === undefined ? {} : { sourceId }) }),
    ask: (organizationId: string, sourceIds: ReadonlyArray<string>, question: Float32Array, most: number) =>
      turns[placeOf(organizationId)].withPermits(1)(
        Effect.callback<ReadonlyArray<Near>>((resume) => {
          const id = ++asked
          const { waiting, worker } = threadOf(organizationId)
          waiting.set(id, (near) => resume(Effect.succeed(near)))
          worker.postMessage({ _tag: "Ask", id, organizationId, sourceIds, question, most } satisfies VectorTask)
          return Effect.sync(() => waiting.delete(id))
        })
      )
  }
})
