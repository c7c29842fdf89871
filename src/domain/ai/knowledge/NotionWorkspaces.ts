/** Port: reads pages of the Notion workspace that an organization has connected. */
import { Context, type Effect } from "effect"
import type { PageUnavailable } from "./Documents.ts"
import type { Skipped } from "./KnowledgeSource.ts"

export interface NotionText {
  readonly title: string
  readonly url: string
  readonly markdown: string
  /** There is more on the page than was read. */
  readonly isCut: boolean
}

/** What comes of one page. */
export type NotionStep = { readonly page: NotionText } | { readonly skipped: Skipped }

export class NotionWorkspaces extends Context.Service<
  NotionWorkspaces,
  {
    /**
     * Reads a page with the pages inside of it, or the pages of a database, at most `most`; `id` as `notionId` gives it. Each step is handed to `take`
     * with how many are done and known. A page that is not shared is a step with a reason. It fails when there is no connection, when Notion refuses
     * it, or when nothing is known of what is missing: then nothing may be taken for deleted.
     */
    readonly read: <E, R>(
      organizationId: string,
      id: string,
      most: number,
      take: (step: NotionStep, done: number, total: number) => Effect.Effect<void, E, R>
    ) => Effect.Effect<void, PageUnavailable | E, R>
  }
>()("parley/domain/NotionWorkspaces") {}
