/**
 * Use case: find the passages that may answer a question, by their words and by their meaning. Both lists are put together by rank, because their scores
 * do not mean the same.
 */
import { Effect } from "effect"
import { type Passage, SearchKnowledge } from "./SearchKnowledge.ts"
import { type SimilarPassage, SimilarPassages } from "./SimilarPassages.ts"

/** The passages of each list that are put together. */
const mostOfList = 20

/**
 * A passage counts `1 / (flatness + rank)` in each list. With 1, whatever is first in one list is among the first four of the result: a code that is
 * found by its letters is not lost behind passages that are a little in both lists.
 */
const flatness = 1

const keyOf = ({ sourceId, number }: Pick<Passage, "sourceId" | "number">): string => `${sourceId} ${number}`

/** The keys of both lists, the best first. */
export const fusedKeys = (lists: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const list of lists)
    for (const [at, key] of list.entries()) counts.set(key, (counts.get(key) ?? 0) + 1 / (flatness + at + 1))
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([key]) => key)
}

/** Needs SearchKnowledge. */
export const makeFindPassages = Effect.gen(function* () {
  const { search, read } = yield* SearchKnowledge
  const { nearest } = yield* SimilarPassages

  const together = Effect.fnUntraced(function* (
    organizationId: string,
    byWords: ReadonlyArray<Passage>,
    byMeaning: ReadonlyArray<SimilarPassage>,
    most: number
  ) {
    const keys = fusedKeys([byWords.map(keyOf), byMeaning.map(keyOf)]).slice(0, most)
    const known = new Map(byWords.map((passage) => [keyOf(passage), passage]))
    const similar = new Map(byMeaning.map((passage) => [keyOf(passage), passage]))
    const unread = keys.flatMap((key) => (known.has(key) ? [] : (similar.get(key) ?? [])))
    const more = unread.length === 0 ? [] : yield* read(organizationId, unread)
    for (const passage of more) known.set(keyOf(passage), { ...passage, score: 0 })
    return keys.flatMap((key): ReadonlyArray<Passage> => {
      const passage = known.get(key)
      if (passage === undefined) return []
      return [{ ...passage, score: Math.max(passage.score, similar.get(key)?.score ?? 0) }]
    })
  })

  /** At most `most` passages, the best first. It waits at most `patienceMs` for those that are found by their meaning. */
  return Effect.fnUntraced(function* (
    organizationId: string,
    knowledgeBaseIds: ReadonlyArray<string>,
    query: string,
    most: number,
    patienceMs: number
  ) {
    const [byWords, byMeaning] = yield* Effect.all(
      [
        search(organizationId, knowledgeBaseIds, query, Math.max(most, mostOfList)),
        nearest(organizationId, knowledgeBaseIds, query, mostOfList, patienceMs)
      ],
      { concurrency: 2 }
    )
    return byMeaning.length === 0 ? byWords.slice(0, most) : yield* together(organizationId, byWords, byMeaning, most)
  })
})
