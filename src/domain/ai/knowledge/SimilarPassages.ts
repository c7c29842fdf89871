/** Port: finds passages that mean what a question means, whatever their words. Without a provider of vectors it finds none. */
import { Context, Effect } from "effect"

export interface SimilarPassage {
  readonly sourceId: string
  /** The passage's number in its source. */
  readonly number: number
  /** From 0 to 1. It has the scale of `Passage.score`: what reaches `leastScore` may answer. */
  readonly score: number
}

export interface SimilarPassages {
  /**
   * At most `most` passages, the best first, within `patienceMs` (milliseconds) or none. It never fails: what is not there in time is found by its
   * words.
   */
  readonly nearest: (
    organizationId: string,
    knowledgeBaseIds: ReadonlyArray<string>,
    query: string,
    most: number,
    patienceMs: number
  ) => Effect.Effect<ReadonlyArray<SimilarPassage>>
}

export const SimilarPassages = Context.Reference<SimilarPassages>("parley/domain/SimilarPassages", {
  defaultValue: () => ({ nearest: () => Effect.succeed([]) })
})
