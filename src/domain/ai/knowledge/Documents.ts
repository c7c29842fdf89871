/** Ports: what reads documents, and what fetches pages. Both are fed by strangers. */
import { Context, type Effect, Schema } from "effect"
import type { Block } from "./Chunks.ts"
import type { Skipped } from "./KnowledgeSource.ts"

export interface ReadDocument {
  /** The document's own title; null when it has none. */
  readonly title: string | null
  readonly blocks: ReadonlyArray<Block>
}

/** The document cannot be read, now or later. The message is a sentence for people. */
export class UnreadableDocument extends Schema.TaggedError<UnreadableDocument>()("UnreadableDocument", {
  message: Schema.String
}) {}

export class DocumentReader extends Context.Service<
  DocumentReader,
  {
    /** The kind is told by the content, then by the name or content type. At most so much time and memory is used for it. */
    readonly read: (
      bytes: Uint8Array,
      claimed: { readonly filename?: string; readonly contentType?: string }
    ) => Effect.Effect<ReadDocument, UnreadableDocument>
  }
>()("parley/domain/DocumentReader") {}

/** The site or the page cannot be read. The message is a sentence; `temporary`: it may be there later. */
export class PageUnavailable extends Schema.TaggedError<PageUnavailable>()("PageUnavailable", {
  message: Schema.String,
  temporary: Schema.Boolean
}) {}

export interface WebPage {
  /** The address that answered, after redirects. */
  readonly url: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** The pages of one sync. */
export interface SiteVisit {
  readonly urls: ReadonlyArray<string>
  readonly skipped: ReadonlyArray<Skipped>
  readonly read: (url: string) => Effect.Effect<WebPage, PageUnavailable>
}

export class WebSites extends Context.Service<
  WebSites,
  {
    /** Finds the pages: those of the sitemap and the list, at most `most`. Every address must be public, and allowed by the site's robots.txt. */
    readonly visit: (
      pages: { readonly sitemap?: string; readonly urls?: ReadonlyArray<string> },
      most: number
    ) => Effect.Effect<SiteVisit, PageUnavailable>
  }
>()("parley/domain/WebSites") {}

/** The stems of words, by the database's dictionaries. */
export class WordStems extends Context.Service<
  WordStems,
  {
    /** The dictionary of the language, if the database has it; else `simple`. */
    readonly stems: (
      language: string,
      words: ReadonlyArray<string>
    ) => Effect.Effect<{ readonly dictionary: string; readonly stems: ReadonlyMap<string, string | null> }>
  }
>()("parley/domain/WordStems") {}
