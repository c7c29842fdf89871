/** Sources of a knowledge base: a file, pages of a web site, pages of Notion, or pairs of question and answer. A sync makes passages of a source. */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import type { Listed, Part } from "../../basics/Listing.ts"
import { type ObjectKey, objectKey } from "../../basics/ObjectStorage.ts"
import { lines, plainText } from "../../basics/PlainText.ts"
import type { IndexedPassage } from "./PassageIndex.ts"

/** The most of one source. */
export const sourceLimits = { pages: 500, answers: 200, passages: 2_000, fileBytes: 16 * 1024 * 1024, skipped: 200 }

const isWebAddress = (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return (
    (url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") ||
    "must be an http(s) address without a user name."
  )
}
const WebAddress = plainText(2_000).check(Schema.makeFilter(isWebAddress))

export const QuestionAndAnswer = Schema.Struct({ question: lines(500), answer: lines(4_000) })
const Answers = Schema.Array(QuestionAndAnswer).check(Schema.isMinLength(1), Schema.isMaxLength(sourceLimits.answers))

/** Pages: those of a sitemap, those of a list, or both. */
const Pages = Schema.Struct({
  sitemap: Schema.optionalKey(WebAddress),
  urls: Schema.optionalKey(Schema.Array(WebAddress).check(Schema.isMaxLength(sourceLimits.pages)))
}).check(
  Schema.makeFilter(
    ({ sitemap, urls = [] }) => sitemap !== undefined || urls.length > 0 || "must have a sitemap or urls."
  )
)
/** A page with the pages inside of it, or a database, of the Notion workspace that the organization has connected. `notionId` reads the address. */
const NotionRoot = Schema.Struct({ url: plainText(2_000) })
const Hours = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 720 }))

/** What of a source is told by its type; the others are null. */
const SourceFile = Schema.Struct({ filename: Schema.String, sizeBytes: Schema.Int })

export const KnowledgeSource = Schema.Struct({
  id: Schema.String,
  organizationId: Schema.String,
  knowledgeBaseId: Schema.String,
  type: Schema.Literals(["file", "pages", "notion", "answers"]),
  title: Schema.String,
  file: Schema.NullOr(SourceFile),
  pages: Schema.NullOr(Pages),
  notion: Schema.NullOr(NotionRoot),
  answers: Schema.NullOr(Schema.Array(QuestionAndAnswer)),
  /** Pages can be read again by themselves, those of Notion too; null: on request only. */
  syncEveryHours: Schema.NullOr(Schema.Int),
  /** `failed`: the last sync failed, for the reason in `problem`. What an earlier sync found is still found. */
  state: Schema.Literals(["queued", "syncing", "ready", "failed"]),
  problem: Schema.NullOr(Schema.String),
  /** How many pages, parts or pairs of the running sync are done; null when none runs. */
  progress: Schema.NullOr(Schema.Struct({ done: Schema.Int, total: Schema.Int })),
  passages: Schema.Int,
  /**
   * Whether the passages are found by their meaning, too. `none`: they have no vectors yet, or the operator has set no model; `failing`: the provider of
   * vectors did not give them, for the reason in `problem`, and is asked again. Until then they are found by their words.
   */
  vectors: Schema.Struct({
    state: Schema.Literals(["none", "ready", "failing"]),
    problem: Schema.NullOr(Schema.String)
  }),
  /** What the last sync left out, and why. */
  skipped: Schema.Array(Schema.Struct({ what: Schema.String, why: Schema.String })),
  syncedAt: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
  updatedAt: Schema.String
}).annotate({
  title: "KnowledgeSource",
  examples: [
    {
      id: exampleIds.knowledgeSource,
      organizationId: exampleIds.organization,
      knowledgeBaseId: exampleIds.knowledgeBase,
      type: "pages",
      title: "Help pages",
      file: null,
      pages: { sitemap: "https://maplebooks.example/sitemap.xml" },
      notion: null,
      answers: null,
      syncEveryHours: 24,
      state: "ready",
      problem: null,
      progress: null,
      passages: 29,
      vectors: { state: "ready", problem: null },
      skipped: [{ what: "https://maplebooks.example/cart", why: "robots.txt does not allow it." }],
      syncedAt: "2026-11-20T08:01:00.000Z",
      createdAt: "2026-11-20T08:00:00.000Z",
      updatedAt: "2026-11-20T08:01:00.000Z"
    }
  ]
})
export type KnowledgeSource = typeof KnowledgeSource.Type

const title = plainText(200)

/** A new source: answers, pages, or pages of Notion. Files are uploaded. */
export const NewKnowledgeSource = Schema.Union([
  Schema.Struct({ title, answers: Answers }),
  Schema.Struct({ title, pages: Pages, syncEveryHours: Schema.optionalKey(Schema.NullOr(Hours)) }),
  Schema.Struct({ title, notion: NotionRoot, syncEveryHours: Schema.optionalKey(Schema.NullOr(Hours)) })
]).annotate({
  title: "NewKnowledgeSource",
  examples: [
    { title: "Questions", answers: [{ question: "Do you deliver?", answer: "Yes, in two days, for 4 dollars." }] }
  ]
})
export type NewKnowledgeSource = typeof NewKnowledgeSource.Type

export const KnowledgeSourceChanges = Schema.Struct({
  title: Schema.optionalKey(title),
  pages: Schema.optionalKey(Pages),
  notion: Schema.optionalKey(NotionRoot),
  answers: Schema.optionalKey(Answers),
  syncEveryHours: Schema.optionalKey(Schema.NullOr(Hours))
}).annotate({ title: "KnowledgeSourceChanges", examples: [{ title: "Frequent questions" }] })
export type KnowledgeSourceChanges = typeof KnowledgeSourceChanges.Type

/** A file whose bytes are stored under `fileKey`. */
export interface NewFileSource {
  readonly id: string
  readonly title: string
  readonly file: typeof SourceFile.Type
}

/** Where the bytes of a source's file are. */
export const fileKey = (organizationId: string, sourceId: string): ObjectKey =>
  objectKey("knowledge", organizationId, sourceId)

/** A sync that a worker has claimed. */
export interface SyncJob {
  readonly organizationId: string
  readonly source: KnowledgeSource
  /** The language of the knowledge base. */
  readonly language: string
  /** The most passages of the organization, by its plan. */
  readonly mostPassages: number
  /** Which version of the source is synced. */
  readonly generation: number
  /** How often it was claimed, this time included. */
  readonly attempts: number
}

export type Skipped = KnowledgeSource["skipped"][number]

export class KnowledgeSources extends Context.Service<
  KnowledgeSources,
  {
    /** Newest first; undefined when there is no such knowledge base. */
    readonly list: (
      organizationId: string,
      baseId: string,
      part: Part
    ) => Effect.Effect<Listed<KnowledgeSource> | undefined>
    readonly find: (organizationId: string, baseId: string, id: string) => Effect.Effect<KnowledgeSource | undefined>
    /** Stores a source that waits for its first sync; undefined when there is no such knowledge base. */
    readonly create: (
      organizationId: string,
      baseId: string,
      input: NewKnowledgeSource | NewFileSource
    ) => Effect.Effect<KnowledgeSource | undefined>
    /** Changes a source and, when its content changes, queues a sync. Undefined when there is no such source. */
    readonly update: (
      organizationId: string,
      baseId: string,
      id: string,
      changes: KnowledgeSourceChanges
    ) => Effect.Effect<KnowledgeSource | undefined>
    /** Queues a sync; undefined when there is no such source. */
    readonly queue: (organizationId: string, baseId: string, id: string) => Effect.Effect<KnowledgeSource | undefined>
    readonly remove: (organizationId: string, baseId: string, id: string) => Effect.Effect<boolean>
    /** The ids of the sources with a file in a knowledge base: their bytes are removed after them. */
    readonly files: (organizationId: string, baseId: string) => Effect.Effect<ReadonlyArray<string>>
    /** Claims sources that are due at `now`, until `now + leaseMs` (Unix milliseconds). */
    readonly claim: (now: number, leaseMs: number, most: number) => Effect.Effect<ReadonlyArray<SyncJob>>
    /** Holds the claim until `until`, and tells how far the sync is. */
    readonly hold: (
      job: SyncJob,
      until: number,
      progress: { readonly done: number; readonly total: number }
    ) => Effect.Effect<void>
    /**
     * Replaces the passages of the source at once and ends the sync. `changed`: the source was changed or removed since it was claimed; `full`: the
     * organization would have more than `mostPassages`. Then nothing is stored.
     */
    readonly replace: (
      job: SyncJob,
      passages: ReadonlyArray<IndexedPassage>,
      dictionaries: ReadonlyArray<string>,
      skipped: ReadonlyArray<Skipped>
    ) => Effect.Effect<"stored" | "changed" | "full">
    /** Ends the sync with a problem; the passages stay. With `again` it is tried again then (Unix milliseconds). */
    readonly failed: (
      job: SyncJob,
      problem: string,
      skipped: ReadonlyArray<Skipped>,
      again?: number
    ) => Effect.Effect<void>
  }
>()("parley/domain/KnowledgeSources") {}
