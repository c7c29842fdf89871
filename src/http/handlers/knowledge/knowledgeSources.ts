import { Effect, Stream } from "effect"
import {
  fileKey,
  type KnowledgeSource,
  type KnowledgeSourceChanges,
  KnowledgeSources,
  sourceLimits
} from "../../../domain/ai/knowledge/KnowledgeSource.ts"
import { notionId } from "../../../domain/ai/knowledge/NotionId.ts"
import { newId } from "../../../domain/basics/Ids.ts"
import { ObjectStorage } from "../../../domain/basics/ObjectStorage.ts"
import { storable } from "../../../domain/basics/PlainText.ts"
import { Audit, changedFields } from "../../../domain/people/access/Audit.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, NotFound, ServerError } from "../../wire/Errors.ts"
import { partOf, toList } from "../../wire/Listing.ts"
import { asUpload, uploadedFile } from "../../wire/UploadedFile.ts"

const noBase = () => new NotFound({ error: "There is no such knowledge base." })
const noSource = () => new NotFound({ error: "There is no such source in this knowledge base." })

/** A source as the audit log shows it: without its content, which may be long. */
const shown = ({ knowledgeBaseId, type, title, pages, notion, file, syncEveryHours }: KnowledgeSource) => ({
  knowledgeBaseId,
  type,
  title,
  pages,
  notion,
  file,
  syncEveryHours
})

/** What can be changed of a source of the type. */
const contents = ["pages", "notion", "answers"] as const

/** Needs KnowledgeSources, ObjectStorage and Audit. */
export const layer = group(
  AppApi,
  "knowledgeSources",
  Effect.fn(function* (handlers) {
    const sources = yield* KnowledgeSources
    const storage = yield* ObjectStorage
    const audit = yield* Audit

    const known = Effect.fnUntraced(function* (organizationId: string, baseId: string, id: string) {
      return (yield* sources.find(organizationId, baseId, id)) ?? (yield* noSource())
    })
    const existing = (source: KnowledgeSource | undefined) =>
      source === undefined ? Effect.fail(noSource()) : Effect.succeed(source)

    /** An address that holds no id is refused before a sync would. */
    const checked = ({ notion }: Pick<KnowledgeSourceChanges, "notion">) =>
      notion === undefined || notionId(notion.url) !== undefined
        ? Effect.void
        : new BadRequest({
            error:
              "notion.url is invalid: it must be the address of a page or a database, which ends with 32 digits and letters."
          })

    const create = (organizationId: string, baseId: string, input: Parameters<typeof sources.create>[2]) =>
      audit.recorded(
        organizationId,
        Effect.flatMap(sources.create(organizationId, baseId, input), (made) =>
          made === undefined ? Effect.fail(noBase()) : Effect.succeed(made)
        ),
        (made) => ({ action: "knowledge_source.created", subjectId: made.id, after: shown(made) })
      )

    /** Stores the bytes first: a source without its bytes would fail for ever, bytes without a source are removed here. */
    const upload = Effect.fnUntraced(
      function* (organizationId: string, baseId: string, parts: Parameters<typeof uploadedFile>[0]) {
        // Before any byte is stored.
        if ((yield* sources.list(organizationId, baseId, { page: 1, limit: 1 })) === undefined) return yield* noBase()
        const { filename, bytes } = yield* uploadedFile(parts, "file", sourceLimits.fileBytes)
        const content = Buffer.concat([...(yield* Stream.runCollect(bytes))])
        if (content.byteLength > sourceLimits.fileBytes)
          return yield* new BadRequest({ error: "The file is larger than 16 MB, the most that is taken." })
        const id = newId("kns")
        const key = fileKey(organizationId, id)
        const size = content.byteLength
        yield* storage.put(key, Stream.make(content), { contentType: "application/octet-stream", size })
        const name =
          storable(filename)
            .replace(/\p{Cc}/gu, " ")
            .trim()
            .slice(0, 200) || "file"
        return yield* create(organizationId, baseId, {
          id,
          title: name,
          file: { filename: name, sizeBytes: size }
        }).pipe(Effect.onError(() => Effect.ignore(storage.remove(key))))
      },
      asUpload,
      Effect.catchTags({
        ObjectStorageError: (error) =>
          Effect.andThen(
            Effect.logError("a file of a knowledge base could not be stored", error),
            new ServerError({ error: "The file could not be stored right now. Please try again later." })
          )
      })
    )

    const change = Effect.fnUntraced(function* (
      organizationId: string,
      baseId: string,
      id: string,
      changes: KnowledgeSourceChanges
    ) {
      const { syncEveryHours } = changes
      yield* checked(changes)
      const before = yield* known(organizationId, baseId, id)
      if (contents.some((type) => changes[type] !== undefined && before.type !== type))
        return yield* new BadRequest({ error: `This source is of the type ${before.type}; that does not change.` })
      if (syncEveryHours != null && before.type !== "pages" && before.type !== "notion")
        return yield* new BadRequest({
          error: "syncEveryHours is for pages: a file and answers do not change by themselves."
        })
      const after = yield* Effect.flatMap(sources.update(organizationId, baseId, id, changes), existing)
      return { before, after }
    })

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ params: { baseId }, query }) {
        const { organizationId } = yield* requireScope("knowledge:read")
        const part = yield* partOf("knowledgeSources", query)
        const found = yield* sources.list(organizationId, baseId, part)
        return toList(found ?? (yield* noBase()), part)
      }),
      get: Effect.fnUntraced(function* ({ params: { baseId, id } }) {
        const { organizationId } = yield* requireScope("knowledge:read")
        return yield* known(organizationId, baseId, id)
      }),
      create: Effect.fnUntraced(function* ({ params: { baseId }, payload }) {
        const { organizationId } = yield* requireScope("knowledge:write")
        if ("notion" in payload) yield* checked(payload)
        return yield* create(organizationId, baseId, payload)
      }),
      upload: Effect.fnUntraced(function* ({ params: { baseId }, payload }) {
        const { organizationId } = yield* requireScope("knowledge:write")
        return yield* upload(organizationId, baseId, payload)
      }),
      update: Effect.fnUntraced(function* ({ params: { baseId, id }, payload }) {
        const { organizationId } = yield* requireScope("knowledge:write")
        if (Object.keys(payload).length === 0)
          return yield* new BadRequest({
            error: "Send at least one of title, pages, notion, answers and syncEveryHours."
          })
        const { after } = yield* audit.recorded(
          organizationId,
          change(organizationId, baseId, id, payload),
          ({ before, after }) => ({
            action: "knowledge_source.updated",
            subjectId: id,
            ...changedFields(before, after, shown)
          })
        )
        return after
      }),
      sync: Effect.fnUntraced(function* ({ params: { baseId, id } }) {
        const { organizationId } = yield* requireScope("knowledge:write")
        return yield* audit.recorded(
          organizationId,
          Effect.flatMap(sources.queue(organizationId, baseId, id), existing),
          () => ({ action: "knowledge_source.sync_requested", subjectId: id })
        )
      }),
      remove: Effect.fnUntraced(function* ({ params: { baseId, id } }) {
        const { organizationId } = yield* requireScope("knowledge:write")
        const before = yield* known(organizationId, baseId, id)
        const removal = Effect.filterOrFail(sources.remove(organizationId, baseId, id), Boolean, noSource)
        const entry = { action: "knowledge_source.deleted", subjectId: id, before: shown(before) }
        yield* audit.recorded(organizationId, removal, () => entry)
        if (before.type === "file")
          yield* storage
            .remove(fileKey(organizationId, id))
            .pipe(Effect.catch((error) => Effect.logError("the file of a deleted source could not be removed", error)))
        return { id, deleted: true as const }
      })
    })
  })
)
