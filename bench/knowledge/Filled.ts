/** A database of its own with one knowledge base in it, and what looks passages up there: by words, and by simulated vectors as well. */
import { join } from "node:path"
import { Clock, Effect, Layer, Redacted } from "effect"
import * as EmbeddingsSimulator from "../../simulators/embeddings/Embeddings.ts"
import { makeProcessVectors } from "../../src/actors/knowledge/EmbedWorker.ts"
import { makeProcessSync } from "../../src/actors/knowledge/SyncWorker.ts"
import { DocumentReader, WebSites } from "../../src/domain/ai/knowledge/Documents.ts"
import { KnowledgeBases } from "../../src/domain/ai/knowledge/KnowledgeBase.ts"
import { KnowledgeSources, sourceLimits } from "../../src/domain/ai/knowledge/KnowledgeSource.ts"
import { NotionWorkspaces } from "../../src/domain/ai/knowledge/NotionWorkspaces.ts"
import { PassageVectors } from "../../src/domain/ai/knowledge/PassageVectors.ts"
import { Embeddings } from "../../src/domain/ai/providers/Embeddings.ts"
import { Moderation } from "../../src/domain/ai/providers/Moderation.ts"
import { ObjectStorage } from "../../src/domain/basics/ObjectStorage.ts"
import { Organizations } from "../../src/domain/people/organizations/Organization.ts"
import * as OpenAiEmbeddings from "../../src/integrations/embeddings/OpenAiEmbeddings.ts"
import * as Database from "../../src/integrations/postgres/database/Database.ts"
import * as EmbeddedPostgres from "../../src/integrations/postgres/database/EmbeddedPostgres.ts"
import * as Repositories from "../../src/integrations/postgres/Repositories.ts"
import { makeSql } from "../../src/integrations/postgres/tenancy/Sql.ts"
import * as KeyRing from "../../src/integrations/secrets/KeyRing.ts"
import * as SimilarPassagesThreads from "../../src/integrations/vectors/SimilarPassagesThreads.ts"
import { folder } from "../support/Folder.ts"
import { languages, otherPassage, shopOf } from "./Shop.ts"

/** Numbers of a vector: the model's 1,536 can be shortened. */
const dimensions = 512
/** As the setting EMBEDDINGS_LEAST_COSINE has it when nothing is set. */
const leastCosine = 0.35
/** Synced as one source. The interface takes fewer pairs in one, so that a person can read them. */
const inOneSource = sourceLimits.passages
const mostSynced = 20_000
const leaseMs = 600_000

const allPass = Layer.succeed(Moderation, {
  check: (texts) => Effect.succeed(texts.map(() => ({ flagged: false, categories: [] })))
})
/** Only pairs of question and answer are synced here: nothing is read from elsewhere. */
const nothingElse = Layer.mergeAll(
  Layer.mock(DocumentReader, {}),
  Layer.mock(WebSites, {}),
  Layer.mock(NotionWorkspaces, {}),
  Layer.mock(ObjectStorage, {}),
  allPass
)

/** An empty database. */
export const stores = Effect.gen(function* () {
  const dataDir = yield* folder
  const url = yield* EmbeddedPostgres.start({ dataDir: join(dataDir, "postgres"), durable: false })
  return Repositories.layer.pipe(
    Layer.provideMerge(
      Layer.merge(
        Database.layer({ url }),
        KeyRing.layer({ ring: Redacted.make(`bench:${Buffer.alloc(32, 1).toString("base64")}`) })
      )
    )
  )
})

const inGroups = <A>(all: number, size: number, make: (number: number) => A): ReadonlyArray<() => ReadonlyArray<A>> =>
  Array.from(
    { length: Math.ceil(all / size) },
    (_, at) => () => Array.from({ length: Math.min(size, all - at * size) }, (_, n) => make(at * size + n))
  )

/**
 * Copies the sources of other things in the database until there are so many passages: a million would be synced in an hour. Numbers, of which each passage
 * has one of its own, are made others in each copy.
 */
const copyOthers = Effect.fnUntraced(function* (organizationId: string, synced: number, wanted: number) {
  const { sql, asTenant } = yield* makeSql
  const more = Math.ceil(wanted / synced) - 1
  for (let copy = 1; copy <= more; copy++)
    yield* asTenant(organizationId)(
      Effect.gen(function* () {
        const of = sql`s.passages = ${inOneSource}`
        const id = sql`source_id || ${`x${copy}`}`
        yield* sql`CREATE TEMPORARY TABLE copied ON COMMIT DROP AS SELECT s.id AS source_id FROM knowledge_sources s WHERE ${of} AND s.id !~ 'x'`
        yield* sql`INSERT INTO knowledge_sources SELECT (jsonb_populate_record(NULL::knowledge_sources,
          to_jsonb(s) || jsonb_build_object('id', s.id || ${`x${copy}`}, 'content', '[]'::jsonb))).*
          FROM knowledge_sources s JOIN copied ON copied.source_id = s.id`
        yield* sql`INSERT INTO knowledge_passages (organization_id, source_id, number, title, headings, text, url, hash)
          SELECT organization_id, ${id}, number, title, headings, text, url, hash FROM knowledge_passages JOIN copied USING (source_id)`
        yield* sql`INSERT INTO knowledge_words (organization_id, knowledge_base_id, source_id, word, numbers, weights)
          SELECT organization_id, knowledge_base_id, ${id}, CASE WHEN word ~ '^n?[0-9]+$' THEN word || ${`x${copy}`} ELSE word END, numbers, weights
          FROM knowledge_words JOIN copied USING (source_id)`
        yield* sql`INSERT INTO knowledge_pieces (organization_id, knowledge_base_id, source_id, piece, words)
          SELECT organization_id, knowledge_base_id, ${id}, piece, words FROM knowledge_pieces JOIN copied USING (source_id)`
      })
    )
  yield* sql`ANALYZE`
})

/** A knowledge base of the shops' passages and `others`; the first 20,000 of these are synced, the others are copies. Needs the stores. */
export const fill = Effect.fnUntraced(function* (others: number, say: (text: string) => void) {
  const organizations = yield* Organizations
  const { id: organizationId } = yield* organizations.create({ name: "Bench", plan: "ENTERPRISE", timeZone: "UTC" })
  const bases = yield* KnowledgeBases
  const sources = yield* KnowledgeSources
  const process = yield* makeProcessSync
  const base = yield* bases.create(organizationId, { name: "Shop" }, 1)
  if (base === undefined) return yield* Effect.die(new Error("There is no room for a knowledge base"))
  const shops = languages.map(shopOf)
  const synced = Math.min(others, mostSynced)
  const ofShops = shops.map((shop) => () => shop.passages)
  const all = [...ofShops, ...inGroups(synced, inOneSource, otherPassage)]
  for (const [n, answers] of all.entries()) {
    yield* sources.create(organizationId, base.id, { title: `Source ${n}`, answers: answers() })
    // More than any plan has.
    for (const job of yield* sources.claim(yield* Clock.currentTimeMillis, leaseMs, 1))
      yield* process({ ...job, mostPassages: Number.MAX_SAFE_INTEGER })
    say(`${Math.max(0, n + 1 - shops.length) * inOneSource} passages`)
  }
  if (others > synced) {
    say("copying")
    yield* copyOthers(organizationId, synced, others)
  }
  const first = yield* sources.list(organizationId, base.id, { page: 1, limit: 100 })
  const broken = first?.data.find(({ state }) => state !== "ready")
  if (broken !== undefined) return yield* Effect.die(new Error(`A source is ${broken.state}: ${broken.problem}`))
  const passages = (yield* bases.find(organizationId, base.id))?.passages ?? 0
  return { organizationId, baseId: base.id, questions: shops.flatMap(({ questions }) => questions), passages }
}, Effect.provide(nothingElse))

/** Makes vectors of all passages. Needs the stores and Embeddings. */
const embedAll = Effect.gen(function* () {
  const { model } = yield* Embeddings
  const stored = yield* PassageVectors
  const process = yield* makeProcessVectors
  for (;;) {
    const jobs = yield* stored.claim(model, yield* Clock.currentTimeMillis, leaseMs, 10)
    if (jobs.length === 0) return
    yield* Effect.forEach(jobs, process, { discard: true })
  }
})

/** What finds passages by their vectors, which are made when it is built. The provider is the simulator. Needs the stores. */
export const vectors = Layer.unwrap(
  Effect.gen(function* () {
    const { url } = yield* Effect.acquireRelease(
      Effect.promise(() => EmbeddingsSimulator.start()),
      ({ close }) => Effect.promise(close)
    )
    const provider = OpenAiEmbeddings.layer({
      baseUrl: url,
      model: EmbeddingsSimulator.simulatedModel,
      dimensions,
      apiKey: "bench"
    })
    return Layer.merge(Layer.effectDiscard(embedAll), SimilarPassagesThreads.layer({ leastCosine })).pipe(
      Layer.provide(provider)
    )
  })
)
