/**
 * Use case: make passages of a source. What is stored is judged by the content filter first, since agents read it without another check. A new version
 * replaces the old one when it is whole; when a sync fails, the old one stays. One bad page or part is left out, with its reason.
 */
import { Array as Arr, Clock, Effect, Schema, Stream } from "effect"
import { ObjectStorage } from "../../basics/ObjectStorage.ts"
import { traced } from "../../basics/Traced.ts"
import { judgeTexts } from "../providers/JudgeTexts.ts"
import { chunksOf } from "./Chunks.ts"
import { DocumentReader, WebSites, WordStems } from "./Documents.ts"
import { type KnowledgeLanguage, stemDictionaries, textLanguage } from "./KnowledgeLanguage.ts"
import { fileKey, KnowledgeSources, type Skipped, type SyncJob, sourceLimits } from "./KnowledgeSource.ts"
import { notionId } from "./NotionId.ts"
import { type NotionStep, NotionWorkspaces } from "./NotionWorkspaces.ts"
import { allWords, type IndexedPassage, indexed, type SourcePassage } from "./PassageIndex.ts"

/** The sync failed for a reason of the source. The message is a sentence; `temporary`: it is tried again. */
export class SyncFailed extends Schema.TaggedError<SyncFailed>()("SyncFailed", {
  message: Schema.String,
  temporary: Schema.Boolean,
  skipped: Schema.Array(Schema.Struct({ what: Schema.String, why: Schema.String }))
}) {}

const failed = (message: string, skipped: ReadonlyArray<Skipped> = [], temporary = false) =>
  new SyncFailed({ message, temporary, skipped })

const tooMany = (passages: number, skipped: ReadonlyArray<Skipped>) =>
  failed(
    `The source has ${passages} passages; at most ${sourceLimits.passages} are taken. Divide it into several sources.`,
    skipped
  )

/** Passages that are judged at once. */
const judgedAtOnce = 32
const pagesAtOnce = 2
/** The lease of a claim is prolonged with each step of a sync. */
export const syncLeaseMs = 5 * 60_000

interface Gathered {
  readonly passages: ReadonlyArray<SourcePassage>
  readonly skipped: ReadonlyArray<Skipped>
}

const inGroups = <A>(all: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))

/** Needs its ports; the function it returns needs Moderation. It fails with `SyncFailed`, or dies of what is not the source's fault. */
export const makeSyncSource = Effect.gen(function* () {
  const sources = yield* KnowledgeSources
  const storage = yield* ObjectStorage
  const reader = yield* DocumentReader
  const sites = yield* WebSites
  const notion = yield* NotionWorkspaces
  const { stems } = yield* WordStems

  const tell = (job: SyncJob, done: number, total: number) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => sources.hold(job, now + syncLeaseMs, { done, total }))

  const ofFile = Effect.fnUntraced(function* ({ organizationId, source }: SyncJob, filename: string) {
    const parts = yield* Stream.runCollect(storage.read(fileKey(organizationId, source.id))).pipe(
      Effect.mapError(() => failed("The file cannot be read from the storage.", [], true))
    )
    const document = yield* reader
      .read(Buffer.concat([...parts]), { filename })
      .pipe(Effect.mapError(({ message }) => failed(message)))
    const passages = chunksOf(document.blocks).map((chunk) => ({ ...chunk, title: source.title, url: null }))
    if (passages.length === 0)
      return yield* failed("The document holds no text. If it was scanned, it needs a text layer (OCR).")
    return { passages, skipped: [] }
  })

  const ofPages = Effect.fnUntraced(function* (job: SyncJob, pages: NonNullable<SyncJob["source"]["pages"]>) {
    const visit = yield* sites
      .visit(pages, sourceLimits.pages)
      .pipe(Effect.mapError(({ message, temporary }) => failed(message, [], temporary)))
    let done = 0
    let temporary = false
    const page = (url: string) =>
      visit.read(url).pipe(
        Effect.flatMap(({ bytes, contentType, url: from }) =>
          Effect.map(reader.read(bytes, { contentType, filename: new URL(from).pathname }), (document) => {
            const passages = chunksOf(document.blocks).map(
              (chunk): SourcePassage => ({ ...chunk, title: document.title ?? job.source.title, url: from })
            )
            return passages.length === 0
              ? { passages, skipped: [{ what: url, why: "The page holds no text." }] }
              : { passages, skipped: [] }
          })
        ),
        Effect.catch((error) => {
          if (error._tag === "PageUnavailable" && error.temporary) temporary = true
          return Effect.succeed<Gathered>({ passages: [], skipped: [{ what: url, why: error.message }] })
        }),
        Effect.tap(() => tell(job, ++done, visit.urls.length))
      )
    const read = yield* Effect.forEach(visit.urls, page, { concurrency: pagesAtOnce })
    const passages = read.flatMap((each) => each.passages)
    const skipped = [...visit.skipped, ...read.flatMap((each) => each.skipped)]
    if (passages.length === 0) {
      const why = skipped.length === 0 ? "The sitemap names none." : `The first reason: ${skipped[0].why}`
      return yield* failed(`No page could be read. ${why}`, skipped, temporary)
    }
    return { passages, skipped }
  })

  const ofNotion = Effect.fnUntraced(function* (job: SyncJob, address: string) {
    const passages: Array<SourcePassage> = []
    const skipped: Array<Skipped> = []
    const leaveOut = (what: string, why: string) => {
      if (skipped.length < sourceLimits.skipped) skipped.push({ what, why })
    }
    const take = Effect.fnUntraced(function* (step: NotionStep, done: number, total: number) {
      yield* tell(job, done, total)
      if ("skipped" in step) return leaveOut(step.skipped.what, step.skipped.why)
      const { title, url, markdown, isCut } = step.page
      if (isCut) leaveOut(title, "The page is longer than what is read of one; its end is left out.")
      const read = yield* Effect.result(reader.read(Buffer.from(markdown), { filename: "page.md" }))
      if (read._tag === "Failure") return leaveOut(title, read.failure.message)
      const chunks = chunksOf(read.success.blocks)
      if (chunks.length === 0) leaveOut(title, "The page holds no text.")
      passages.push(...chunks.map((chunk) => ({ ...chunk, title, url })))
      if (passages.length > sourceLimits.passages) return yield* tooMany(passages.length, skipped)
    })
    yield* notion
      .read(job.organizationId, notionId(address) ?? address, sourceLimits.pages, take)
      .pipe(Effect.catchTag("PageUnavailable", ({ message, temporary }) => failed(message, skipped, temporary)))
    if (passages.length === 0)
      return yield* failed(
        `No page holds text. ${skipped.length === 0 ? "" : `The first reason: ${skipped[0].why}`}`.trim(),
        skipped
      )
    return { passages, skipped }
  })

  const gather = (job: SyncJob): Effect.Effect<Gathered, SyncFailed> => {
    const { source } = job
    if (source.file !== null) return ofFile(job, source.file.filename)
    if (source.pages !== null) return ofPages(job, source.pages)
    if (source.notion !== null) return ofNotion(job, source.notion.url)
    const passages = (source.answers ?? []).map(({ question, answer }) => ({
      title: source.title,
      headings: [question],
      text: answer,
      url: null
    }))
    return Effect.succeed({ passages, skipped: [] })
  }

  /** The passages that the content filter passes, and the others as skipped. */
  const judge = Effect.fnUntraced(function* (job: SyncJob, passages: ReadonlyArray<SourcePassage>) {
    const kept: Array<SourcePassage> = []
    const skipped: Array<Skipped> = []
    for (const group of inGroups(passages, judgedAtOnce)) {
      const flags = yield* judgeTexts(
        group.map(({ title, headings, text }) => [title, ...headings, text].join("\n"))
      ).pipe(Effect.mapError(() => failed("The content filter does not answer.", [], true)))
      for (const [at, passage] of group.entries()) {
        const flag = flags[at]
        if (flag === undefined) kept.push(passage)
        else
          skipped.push({
            what: passage.url ?? passage.headings.at(-1) ?? passage.text.slice(0, 80),
            why: `The content filter flagged a passage${flag.categories.length === 0 ? "" : ` for ${flag.categories.join(", ")}`}.`
          })
      }
      yield* tell(job, kept.length + skipped.length, passages.length)
    }
    return { kept, skipped }
  })

  /** The passages with the weights of their words. Each is of one language: its own text tells it, else its page. */
  const index = Effect.fnUntraced(function* (job: SyncJob, passages: ReadonlyArray<SourcePassage>) {
    const usual = job.language in stemDictionaries ? (job.language as KnowledgeLanguage) : "other"
    const pages = Arr.groupBy(passages, ({ url }) => url ?? "")
    const languageOfPassage = (passage: SourcePassage): KnowledgeLanguage =>
      textLanguage(passage.text, languages.get(passage.url ?? "") ?? usual)
    const languages = new Map(
      Object.entries(pages).map(
        ([url, of]) => [url, textLanguage(of.map(({ text }) => text).join("\n"), usual)] as const
      )
    )
    const done: Array<IndexedPassage> = []
    const dictionaries = new Set<string>()
    for (const [language, of] of Object.entries(Arr.groupBy(passages, languageOfPassage))) {
      const known = yield* stems(language, allWords(of))
      dictionaries.add(known.dictionary)
      done.push(...of.map((passage) => indexed(passage, known.stems)))
    }
    return { passages: done, dictionaries: [...dictionaries] }
  })

  return traced("SyncSource")(function* (job: SyncJob) {
    const gathered = yield* gather(job)
    if (gathered.passages.length > sourceLimits.passages)
      return yield* tooMany(gathered.passages.length, gathered.skipped)
    const { kept, skipped } = yield* judge(job, gathered.passages)
    const left = [...gathered.skipped, ...skipped].slice(0, sourceLimits.skipped)
    if (kept.length === 0) return yield* failed("The content filter flagged all of it.", left)
    const { passages, dictionaries } = yield* index(job, kept)
    if ((yield* sources.replace(job, passages, dictionaries, left)) === "full")
      return yield* failed(
        `The plan has ${job.mostPassages} passages in all knowledge bases, and this source would exceed them.`,
        left
      )
  })
})
