/**
 * For how long the store of the records has been silent: somebody waits for it, and it answers nobody. What answers requests reads it, so that no
 * client waits for a store that has stopped. Stores in memory are never silent.
 */
import { Context } from "effect"

export const RecordsSilence = Context.Reference<{
  /** Milliseconds; 0 as soon as anything is heard. */
  readonly ms: () => number
}>("parley/domain/RecordsSilence", { defaultValue: () => ({ ms: () => 0 }) })
