/** Removes many rows in small statements, so that none holds its locks for long. */
import { Effect } from "effect"

/** Runs `remove`, which removes at most `batch` rows and gives how many, until it removes fewer. Gives the number of all removed rows. */
export const inBatches = Effect.fnUntraced(function* <E, R>(batch: number, remove: Effect.Effect<number, E, R>) {
  let total = 0
  while (true) {
    const removed = yield* remove
    total += removed
    if (removed < batch) return total
  }
})
