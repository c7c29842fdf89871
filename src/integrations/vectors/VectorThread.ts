/** The thread that holds and compares vectors: `VectorThreads.ts` starts it. */
import { parentPort } from "node:worker_threads"
import { type Near, nearestOf, type VectorBlock } from "./NearestVectors.ts"

export type VectorTask =
  | { readonly _tag: "Hold"; readonly organizationId: string; readonly sourceId: string; readonly block: VectorBlock }
  | { readonly _tag: "Drop"; readonly organizationId: string; readonly sourceId?: string }
  | {
      readonly _tag: "Ask"
      readonly id: number
      readonly organizationId: string
      readonly sourceIds: ReadonlyArray<string>
      readonly question: Float32Array
      readonly most: number
    }

export interface VectorAnswer {
  readonly id: number
  readonly near: ReadonlyArray<Near>
}

const held = new Map<string, Map<string, VectorBlock>>()

const work = (task: VectorTask): VectorAnswer | undefined => {
  const { organizationId } = task
  const own = held.get(organizationId) ?? new Map<string, VectorBlock>()
  switch (task._tag) {
    case "Hold":
      own.set(task.sourceId, task.block)
      held.set(organizationId, own)
      return undefined
    case "Drop":
      if (task.sourceId === undefined) held.delete(organizationId)
      else own.delete(task.sourceId)
      return undefined
    case "Ask": {
      const blocks = task.sourceIds.flatMap((id) => {
        const block = own.get(id)
        return block === undefined ? [] : [[id, block] as const]
      })
      return { id: task.id, near: nearestOf(blocks, task.question, task.most) }
    }
  }
}

parentPort?.on("message", (task: VectorTask) => {
  const answer = work(task)
  if (answer !== undefined) parentPort?.postMessage(answer)
})
