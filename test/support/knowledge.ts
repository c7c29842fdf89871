/** Knowledge bases of questions with answers, synced at once. */
import { assert } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { makeProcessSync } from "../../src/actors/knowledge/SyncWorker.ts"
import { DocumentReader, WebSites } from "../../src/domain/ai/knowledge/Documents.ts"
import { KnowledgeBases } from "../../src/domain/ai/knowledge/KnowledgeBase.ts"
import { KnowledgeSources } from "../../src/domain/ai/knowledge/KnowledgeSource.ts"
import { NotionWorkspaces } from "../../src/domain/ai/knowledge/NotionWorkspaces.ts"
import { Moderation } from "../../src/domain/ai/providers/Moderation.ts"
import { ObjectStorage } from "../../src/domain/basics/ObjectStorage.ts"

/** What a sync of given texts does not use, and a content filter that passes all. */
export const nothingElse = Layer.mergeAll(
  Layer.mock(DocumentReader, {}),
  Layer.mock(WebSites, {}),
  Layer.mock(NotionWorkspaces, {}),
  Layer.mock(ObjectStorage, {}),
  Layer.succeed(Moderation, {
    check: (texts) => Effect.succeed(texts.map(() => ({ flagged: false, categories: [] })))
  })
)

/** Syncs the due sources of the organization. Needs the stores. */
export const syncKnowledge = Effect.fnUntraced(function* (organizationId: string) {
  const sources = yield* KnowledgeSources
  const process = yield* Effect.provide(makeProcessSync, nothingElse)
  const jobs = yield* sources.claim(yield* Clock.currentTimeMillis, 60_000, 50)
  for (const job of jobs.filter((one) => one.organizationId === organizationId))
    yield* Effect.provide(process(job), nothingElse)
})

/** A new knowledge base with these questions and answers, which can be found. Needs the stores. */
export const newKnowledge = Effect.fnUntraced(function* (
  organizationId: string,
  pairs: ReadonlyArray<readonly [question: string, answer: string]>
) {
  const base = yield* (yield* KnowledgeBases).create(organizationId, { name: "Shop" }, 5)
  assert.isDefined(base)
  yield* (yield* KnowledgeSources).create(organizationId, base.id, {
    title: "Questions",
    answers: pairs.map(([question, answer]) => ({ question, answer }))
  })
  yield* syncKnowledge(organizationId)
  return base
})
