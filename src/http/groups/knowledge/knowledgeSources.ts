/** `/api/knowledge-bases/{baseId}/sources`: what a knowledge base is made of. */
import { Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  KnowledgeSource,
  KnowledgeSourceChanges,
  NewKnowledgeSource
} from "../../../domain/ai/knowledge/KnowledgeSource.ts"
import { exampleIds } from "../../../domain/basics/Examples.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { bodyLimit } from "../../wire/BodyLimit.ts"
import { BadRequest, Forbidden, NotFound, ServerError } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { listOf, listQuery } from "../../wire/Listing.ts"
import { formLimits } from "../../wire/UploadedFile.ts"

const ofBase = { baseId: Id }
const params = { baseId: Id, id: Id }
const error = [BadRequest, Forbidden, NotFound] as const

/** A file of 16 MB and the form around it, in bytes. */
const longestForm = 17 * 1024 * 1024
/** Some 200 answers, in bytes. */
const longestAnswers = 1024 * 1024

const Removed = Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }).annotate({
  title: "RemovedKnowledgeSource",
  examples: [{ id: exampleIds.knowledgeSource, deleted: true }]
})

export class KnowledgeSourcesGroup extends HttpApiGroup.make("knowledgeSources")
  .add(
    HttpApiEndpoint.get("list", "/sources", {
      params: ofBase,
      query: listQuery,
      success: listOf(KnowledgeSource),
      error
    }).annotateMerge(
      OpenApi.annotations({ summary: "List sources, newest first", description: "Scope `knowledge:read`." })
    ),
    HttpApiEndpoint.post("create", "/sources", {
      params: ofBase,
      payload: NewKnowledgeSource,
      success: KnowledgeSource.pipe(HttpApiSchema.status(201)),
      error
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Add web pages, pages of Notion, or questions with answers",
          description:
            "`pages` are those of a `sitemap`, those of `urls`, or both: at most 500, on public addresses, as far as robots.txt allows. " +
            "`notion` is a page with the pages inside of it, or a database, of the Notion that is connected under integrations. `syncEveryHours` reads " +
            "either again by itself. The sync is done in the background: ask for its state with GET. Scope `knowledge:write`."
        })
      )
      .annotateMerge(bodyLimit(longestAnswers)),
    HttpApiEndpoint.post("upload", "/files", {
      params: ofBase,
      payload: Schema.Struct({ file: Multipart.SingleFileSchema }).pipe(HttpApiSchema.asMultipartStream(formLimits)),
      success: KnowledgeSource.pipe(HttpApiSchema.status(201)),
      error: [...error, ServerError]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Add a file",
          description:
            "`multipart/form-data` with one file in the part `file`, of at most 16 MB: PDF, DOCX, Markdown, text, HTML or CSV. It is read in the background: ask " +
            "for its state with GET. `Idempotency-Key` is not looked at. Scope `knowledge:write`."
        })
      )
      .annotateMerge(bodyLimit(longestForm)),
    HttpApiEndpoint.get("get", "/sources/:id", { params, success: KnowledgeSource, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a source, with the state of its sync",
        description:
          "`queued`, `syncing` (with `progress`), `ready`, or `failed` (with `problem`; what an earlier sync found is still found). `skipped` says what the last sync " +
          "left out, and why. Scope `knowledge:read`."
      })
    ),
    HttpApiEndpoint.put("update", "/sources/:id", {
      params,
      payload: KnowledgeSourceChanges,
      success: KnowledgeSource,
      error
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a source",
          description:
            "What is not sent keeps its value. Another title or content is synced at once; the old one is found until then. Scope `knowledge:write`."
        })
      )
      .annotateMerge(bodyLimit(longestAnswers)),
    HttpApiEndpoint.post("sync", "/sources/:id/sync", { params, success: KnowledgeSource, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Sync a source again",
        description: "In the background. The old version is found until the new one is whole. Scope `knowledge:write`."
      })
    ),
    HttpApiEndpoint.delete("remove", "/sources/:id", { params, success: Removed, error }).annotateMerge(
      OpenApi.annotations({ summary: "Delete a source", description: "With its file. Scope `knowledge:write`." })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/knowledge-bases/:baseId") {}
