import { Effect } from "effect"
import { makeFindPassages } from "../../../domain/ai/knowledge/FindPassages.ts"
import {
  type KnowledgeBase,
  type KnowledgeBaseChanges,
  KnowledgeBases
} from "../../../domain/ai/knowledge/KnowledgeBase.ts"
import { fileKey, KnowledgeSources } from "../../../domain/ai/knowledge/KnowledgeSource.ts"
import { answering } from "../../../domain/ai/knowledge/KnowledgeTool.ts"
import { ObjectStorage } from "../../../domain/basics/ObjectStorage.ts"
import { Audit, changedFields } from "../../../domain/people/access/Audit.ts"
import { Organizations, plans } from "../../../domain/people/organizations/Organization.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Forbidden, NotFound } from "../../wire/Errors.ts"
import { partOf, toList } from "../../wire/Listing.ts"

const notFound = () => new NotFound({ error: "There is no such knowledge base." })

/** Milliseconds that a search waits for passages that are found by their meaning. */
const searchPatienceMs = 1_500

const shown = ({ name, description, language }: KnowledgeBase) => ({ name, description, language })

/** Needs KnowledgeBases, KnowledgeSources, SearchKnowledge, ObjectStorage, Organizations and Audit. */
export const layer = group(
  AppApi,
  "knowledgeBases",
  Effect.fn(function* (handlers) {
    const bases = yield* KnowledgeBases
    const sources = yield* KnowledgeSources
    const find = yield* makeFindPassages
    const storage = yield* ObjectStorage
    const organizations = yield* Organizations
    const audit = yield* Audit

    const known = Effect.fnUntraced(function* (organizationId: string, id: string) {
      return (yield* bases.find(organizationId, id)) ?? (yield* notFound())
    })

    const change = Effect.fnUntraced(function* (organizationId: string, id: string, changes: KnowledgeBaseChanges) {
      const before = yield* known(organizationId, id)
      const after = (yield* bases.update(organizationId, id, changes)) ?? (yield* notFound())
      return { before, after }
    })

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("knowledge:read")
        const part = yield* partOf("knowledgeBases", query)
        return toList(yield* bases.list(organizationId, part), part)
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("knowledge:read")
        return yield* known(organizationId, params.id)
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        const { organizationId } = yield* requireScope("knowledge:write")
        const plan = (yield* organizations.find(organizationId))?.plan ?? "FREE"
        const most = plans[plan].knowledge.bases
        const making = Effect.flatMap(bases.create(organizationId, payload, most), (made) =>
          made === undefined
            ? Effect.fail(new Forbidden({ error: `An organization on ${plan} has at most ${most} knowledge bases.` }))
            : Effect.succeed(made)
        )
        return yield* audit.recorded(organizationId, making, (made) => ({
          action: "knowledge_base.created",
          subjectId: made.id,
          after: shown(made)
        }))
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        const { organizationId } = yield* requireScope("knowledge:write")
        if (Object.keys(payload).length === 0)
          return yield* new BadRequest({ error: "Send at least one of name, description and language." })
        const { after } = yield* audit.recorded(
          organizationId,
          change(organizationId, params.id, payload),
          ({ before, after }) => ({
            action: "knowledge_base.updated",
            subjectId: after.id,
            ...changedFields(before, after, shown)
          })
        )
        return after
      }),
      remove: Effect.fnUntraced(function* ({ params: { id } }) {
        const { organizationId } = yield* requireScope("knowledge:write")
        const before = yield* known(organizationId, id)
        const files = yield* sources.files(organizationId, id)
        const removal = Effect.filterOrFail(bases.remove(organizationId, id), Boolean, notFound)
        const entry = { action: "knowledge_base.deleted", subjectId: id, before: shown(before) }
        yield* audit.recorded(organizationId, removal, () => entry)
        yield* Effect.forEach(files, (file) => storage.remove(fileKey(organizationId, file)), { discard: true }).pipe(
          Effect.catch((error) => Effect.logError("files of a deleted knowledge base could not be removed", error))
        )
        return { id, deleted: true as const }
      }),
      search: Effect.fnUntraced(function* ({ params: { id }, payload: { query, limit = 5 } }) {
        const { organizationId } = yield* requireScope("knowledge:read")
        yield* known(organizationId, id)
        const found = yield* find(organizationId, [id], query, limit, searchPatienceMs)
        return {
          answered: answering(found).length > 0,
          passages: found.map(({ baseId: _, number: __, ...passage }) => passage)
        }
      }),
      unanswered: Effect.fnUntraced(function* ({ params: { id }, query }) {
        const { organizationId } = yield* requireScope("knowledge:read")
        const part = yield* partOf("unansweredQuestions", query)
        const found = yield* bases.unanswered(organizationId, id, part)
        return toList(found ?? (yield* notFound()), part)
      })
    })
  })
)
