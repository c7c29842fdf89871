/** Port: looks things up in an organization's knowledge bases by their words. */
import { Context, type Effect } from "effect"

/** A part of a source that may answer a question. */
export interface Passage {
  readonly baseId: string
  readonly sourceId: string
  /** The passage's number in its source. */
  readonly number: number
  /** The title of the source. */
  readonly title: string
  /** The headings above the text, from the outermost to the innermost. */
  readonly headings: ReadonlyArray<string>
  readonly text: string
  /** The page that the text is from; null for files and answers. */
  readonly url: string | null
  /** From 0 to 1: how well the passage fits the question. */
  readonly score: number
}

export class SearchKnowledge extends Context.Service<
  SearchKnowledge,
  {
    /** At most `most` passages, the best first. Knowledge bases that the organization does not have are like empty ones. */
    readonly search: (
      organizationId: string,
      knowledgeBaseIds: ReadonlyArray<string>,
      query: string,
      most: number
    ) => Effect.Effect<ReadonlyArray<Passage>>
    /** These passages, in any order. Those that are gone are left out. */
    readonly read: (
      organizationId: string,
      passages: ReadonlyArray<Pick<Passage, "sourceId" | "number">>
    ) => Effect.Effect<ReadonlyArray<Omit<Passage, "score">>>
  }
>()("parley/domain/SearchKnowledge") {}
