/** Much work in small statements, so that none holds locks for long. */
import { Effect } from "effect"

/** Runs a removal of at most `batch` rows until it takes fewer; gives how many went in all. */
export const inBatches = Effect.fnUntraced(function* <E, R>(batch: number, remove: Effect.Effect<number, E, R>) {
  let total = 0
  while (true) {
    const removed = yield* remove
    total += removed
    if (removed < batch) return total
  }
})
