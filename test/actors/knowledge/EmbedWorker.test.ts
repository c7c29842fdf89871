/** Passages that are found by their meaning: made into vectors in the background, on a real database, by a provider that may fail. */
import { assert, layer } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import { start } from "../../../simulators/embeddings/Embeddings.ts"
import { makeProcessVectors } from "../../../src/actors/knowledge/EmbedWorker.ts"
import { makeProcessSync } from "../../../src/actors/knowledge/SyncWorker.ts"
import { makeFindPassages } from "../../../src/domain/ai/knowledge/FindPassages.ts"
import { KnowledgeBases } from "../../../src/domain/ai/knowledge/KnowledgeBase.ts"
import { KnowledgeSources } from "../../../src/domain/ai/knowledge/KnowledgeSource.ts"
import { leastScore } from "../../../src/domain/ai/knowledge/KnowledgeTool.ts"
import { PassageVectors } from "../../../src/domain/ai/knowledge/PassageVectors.ts"
import type { Passage } from "../../../src/domain/ai/knowledge/SearchKnowledge.ts"
import { Embeddings } from "../../../src/domain/ai/providers/Embeddings.ts"
import { Organizations } from "../../../src/domain/people/organizations/Organization.ts"
import { makeAiUsageReport } from "../../../src/domain/usage/AiUsage.ts"
import * as OpenAiEmbeddings from "../../../src/integrations/embeddings/OpenAiEmbeddings.ts"
import * as SimilarPassagesThreads from "../../../src/integrations/vectors/SimilarPassagesThreads.ts"
import { eventually } from "../../support/eventually.ts"
import { nothingElse } from "../../support/knowledge.ts"
import { newOrganization, testStores } from "../../support/tenants.ts"

const simulator = Effect.acquireRelease(
  Effect.promise(() => start({ apiKey: "key" })),
  (provider) => Effect.promise(() => provider.close())
)

const model = "text-embedding-3-small"

/** A knowledge base, with what syncs it and makes its vectors. */
const stage = Effect.fnUntraced(function* ({ mostBytes = 64 * 1_024 * 1_024 } = {}) {
  const provider = yield* simulator
  const circuit = { failures: 1_000 }
  const embeddings = yield* Layer.build(
    OpenAiEmbeddings.layer({ baseUrl: provider.url, apiKey: "key", model, dimensions: 256, circuit })
  )
  const similar = yield* Layer.build(
    SimilarPassagesThreads.layer({ leastCosine: 0.3, mostBytes }).pipe(Layer.provide(Layer.succeedContext(embeddings)))
  )
  const { id: organizationId } = yield* newOrganization()
  const bases = yield* KnowledgeBases
  const base = yield* bases.create(organizationId, { name: "Shop" }, 5)
  assert.isDefined(base)
  const sources = yield* KnowledgeSources
  const process = yield* Effect.provide(makeProcessSync, nothingElse)
  const vectors = yield* PassageVectors
  const find = yield* Effect.provide(makeFindPassages, similar)
  const withModel = (context: Context.Context<Embeddings>) =>
    Effect.map(Effect.provide(makeProcessVectors, context), (work) => ({
      name: Context.get(context, Embeddings).model,
      work
    }))
  const usual = yield* withModel(embeddings)

  const own = <A extends { readonly organizationId: string }>(jobs: ReadonlyArray<A>) =>
    jobs.filter((job) => job.organizationId === organizationId)
  const sync = Effect.gen(function* () {
    for (const job of own(yield* sources.claim(yield* Clock.currentTimeMillis, 60_000, 50)))
      yield* Effect.provide(process(job), nothingElse)
  })
  /** Makes vectors of whatever is due `later` milliseconds from now. Gives how many sources were. */
  const embed = (later = 0, { name, work } = usual) =>
    Effect.gen(function* () {
      const jobs = own(yield* vectors.claim(name, (yield* Clock.currentTimeMillis) + later, 60_000, 50))
      for (const job of jobs) yield* work(job)
      return jobs.length
    })
  const add = (...pairs: ReadonlyArray<readonly [string, string]>) =>
    Effect.flatMap(
      sources.create(organizationId, base.id, {
        title: "Questions",
        answers: pairs.map(([question, answer]) => ({ question, answer }))
      }),
      (made) => Effect.map(sync, () => made?.id ?? "")
    )
  const ask = (query: string, patienceMs = 5_000) => find(organizationId, [base.id], query, 5, patienceMs)
  /** The first passage, once the vectors are in memory. */
  const foundByMeaning = (query: string, text: RegExp) =>
    eventually<false | ReadonlyArray<Passage>, never, never>(
      `${query} is found`,
      Effect.map(ask(query), (found) => text.test(found[0]?.text ?? "") && found)
    )
  return { provider, organizationId, base, bases, sources, vectors, sync, embed, withModel, add, ask, foundByMeaning }
})

const returns = ["Returning books", "Books can be brought back within thirty days."] as const
const parking = ["Parking", "There is a garage behind the house."] as const

layer(testStores, { excludeTestServices: true })("A passage in a knowledge base", (it) => {
  it.effect(
    "is found by its meaning in another language, once its vector is made",
    Effect.fnUntraced(function* () {
      const { add, embed, ask, foundByMeaning, provider } = yield* stage()
      yield* add(returns, parking)
      assert.deepStrictEqual(yield* ask("¿Puedo devolver un libro?"), [])
      assert.strictEqual(yield* embed(), 1)
      assert.strictEqual(provider.texts.filter((text) => text.includes("garage")).length, 1)
      const [first] = yield* foundByMeaning("¿Puedo devolver un libro?", /thirty days/)
      assert.isAbove(first.score, leastScore)
      assert.deepStrictEqual(first.headings, ["Returning books"])
      // What fits neither by words nor by meaning is no answer.
      const other = yield* ask("¿Llueve mañana en Lisboa?")
      assert.isTrue(other.every(({ score }) => score < leastScore))
    })
  )

  it.effect(
    "keeps its vector when a sync finds the same text, and gets another for another text",
    Effect.fnUntraced(function* () {
      const { add, embed, sync, sources, organizationId, base, provider, foundByMeaning, ask } = yield* stage()
      const id = yield* add(returns, parking)
      yield* embed()
      yield* foundByMeaning("¿Puedo devolver un libro?", /thirty days/)
      const before = provider.texts.filter((text) => text.includes("\n")).length
      yield* sources.update(organizationId, base.id, id, {
        answers: [
          { question: returns[0], answer: "Books can be brought back within ten days." },
          { question: parking[0], answer: parking[1] }
        ]
      })
      yield* sync
      // Vectors of the old version are not used for the new one.
      assert.deepStrictEqual(yield* ask("¿Puedo devolver un libro?"), [])
      yield* embed()
      assert.strictEqual(provider.texts.filter((text) => text.includes("\n")).length, before + 1)
      yield* foundByMeaning("¿Puedo devolver un libro?", /ten days/)
      yield* sources.remove(organizationId, base.id, id)
      assert.deepStrictEqual(yield* ask("¿Puedo devolver un libro?"), [])
    })
  )

  it.effect(
    "is found by its words while the provider fails, and its vector is made when that is over",
    Effect.fnUntraced(function* () {
      const { add, embed, ask, base, foundByMeaning, provider, sources, vectors, organizationId } = yield* stage()
      const source = yield* add(returns, parking)
      const told = Effect.map(sources.find(organizationId, base.id, source), (found) => found?.vectors)
      assert.deepStrictEqual(yield* told, { state: "none", problem: null })
      Object.assign(provider.faults, { failNext: 1_000_000, status: 401 })
      yield* embed()
      const problem = "The provider of vectors refuses its key or model. Tell the operator."
      assert.deepStrictEqual(yield* told, { state: "failing", problem })
      assert.strictEqual(yield* embed(), 0)
      assert.match((yield* ask("where can I park"))[0].text, /garage/)
      Object.assign(provider.faults, { failNext: 0 })
      assert.strictEqual(yield* embed(60_000), 1)
      assert.deepStrictEqual(yield* told, { state: "ready", problem: null })
      assert.strictEqual((yield* vectors.sources(organizationId, `${model}/256`, undefined)).length, 1)
      yield* foundByMeaning("¿Puedo devolver un libro?", /thirty days/)
      // A provider that does not answer costs a search its patience, and no more.
      provider.faults.hang = true
      const began = performance.now()
      assert.match((yield* ask("where can I park", 200))[0].text, /garage/)
      assert.isBelow(performance.now() - began, 10_000)
    })
  )

  it.effect(
    "has no vector when the provider refuses its text, and the others have theirs",
    Effect.fnUntraced(function* () {
      const { add, embed, foundByMeaning, provider, ask, vectors, organizationId } = yield* stage()
      yield* add(returns, parking, ["Owls", "Owls are not sold."])
      // The batch, then the first of its texts alone.
      Object.assign(provider.faults, { failNext: 2, status: 400 })
      assert.strictEqual(yield* embed(), 1)
      const [source] = yield* vectors.sources(organizationId, `${model}/256`, undefined)
      const stored = yield* vectors.read(organizationId, source.id, 0, 10)
      assert.strictEqual(stored.filter(({ vector }) => vector.length === 0).length, 1)
      yield* eventually<boolean, never, never>(
        "two passages are compared",
        Effect.map(ask("¿Cuándo llueve?"), (found) => found.length === 2)
      )
      assert.match((yield* ask("owls"))[0].text, /not sold/)
      yield* foundByMeaning("Owls", /not sold/)
    })
  )

  it.effect(
    "gets a vector of another model when the operator sets another",
    Effect.fnUntraced(function* () {
      const { add, embed, withModel, provider, vectors, organizationId } = yield* stage()
      yield* add(returns)
      yield* embed()
      const larger = yield* Layer.build(
        OpenAiEmbeddings.layer({ baseUrl: provider.url, apiKey: "key", model: "text-embedding-3-large" })
      )
      assert.strictEqual(yield* embed(0, yield* withModel(larger)), 1)
      const [source] = yield* vectors.sources(organizationId, "text-embedding-3-large", undefined)
      const [{ vector }] = yield* vectors.read(organizationId, source.id, 0, 10)
      assert.strictEqual(vector.length, 3_072 * 4)
      assert.deepStrictEqual(yield* vectors.sources(organizationId, `${model}/256`, undefined), [])
    })
  )

  it.effect(
    "costs tokens that are reported and do not count against the plan's",
    Effect.fnUntraced(function* () {
      const { add, embed, organizationId } = yield* stage()
      yield* add(returns, parking)
      yield* embed()
      const organization = yield* (yield* Organizations).find(organizationId)
      assert.isDefined(organization)
      const report = yield* (yield* makeAiUsageReport)(organization, { groupBy: "agent" })
      assert.deepInclude(report.data[0], { agentId: "knowledge", agentName: "Knowledge", requests: 1 })
      assert.isAbove(report.totals.tokens, 10)
      assert.strictEqual(report.allowance.used, 0)
    })
  )

  it.effect(
    "is found by its words alone when the organization has more vectors than fit into memory",
    Effect.fnUntraced(function* () {
      const { add, embed, ask } = yield* stage({ mostBytes: 500 })
      yield* add(returns, parking)
      yield* embed()
      yield* ask("¿Puedo devolver un libro?")
      yield* Effect.sleep("200 millis")
      assert.deepStrictEqual(yield* ask("¿Puedo devolver un libro?"), [])
      assert.match((yield* ask("where can I park"))[0].text, /garage/)
    })
  )
})
