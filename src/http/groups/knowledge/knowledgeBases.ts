/** `/api/knowledge-bases`: what agents can look things up in. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  KnowledgeBase,
  KnowledgeBaseChanges,
  NewKnowledgeBase,
  UnansweredQuestion
} from "../../../domain/ai/knowledge/KnowledgeBase.ts"
import { exampleIds } from "../../../domain/basics/Examples.ts"
import { plainText } from "../../../domain/basics/PlainText.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Forbidden, NotFound } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { listOf, listQuery } from "../../wire/Listing.ts"

const params = { id: Id }
const error = [BadRequest, Forbidden, NotFound] as const

const Question = Schema.Struct({
  query: plainText(500),
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 })))
}).annotate({ title: "KnowledgeQuestion", examples: [{ query: "How long do I have to return a book?", limit: 5 }] })

const Found = Schema.Struct({
  /** Whether an agent would answer: the best passage fits well enough. */
  answered: Schema.Boolean,
  passages: Schema.Array(
    Schema.Struct({
      sourceId: Schema.String,
      title: Schema.String,
      headings: Schema.Array(Schema.String),
      text: Schema.String,
      url: Schema.NullOr(Schema.String),
      /** From 0 to 1. */
      score: Schema.Number
    })
  )
}).annotate({
  title: "KnowledgeAnswer",
  examples: [
    {
      answered: true,
      passages: [
        {
          sourceId: exampleIds.knowledgeSource,
          title: "Returns",
          headings: ["Returns", "Time"],
          text: "You can return a book within 30 days.",
          url: "https://maplebooks.example/returns",
          score: 0.62
        }
      ]
    }
  ]
})

const Removed = Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }).annotate({
  title: "RemovedKnowledgeBase",
  examples: [{ id: exampleIds.knowledgeBase, deleted: true }]
})

export class KnowledgeBasesGroup extends HttpApiGroup.make("knowledgeBases")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: listQuery,
      success: listOf(KnowledgeBase),
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({ summary: "List knowledge bases, newest first", description: "Scope `knowledge:read`." })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: NewKnowledgeBase,
      success: KnowledgeBase.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a knowledge base",
        description:
          "`language` is that of texts whose own is not clear; `other` looks words up as they are written. 403 beyond the number that the plan has. " +
          "Scope `knowledge:write`."
      })
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: KnowledgeBase, error }).annotateMerge(
      OpenApi.annotations({ summary: "Get a knowledge base", description: "Scope `knowledge:read`." })
    ),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: KnowledgeBaseChanges,
      success: KnowledgeBase,
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change a knowledge base",
        description:
          "What is not sent keeps its value. Another language counts from the next sync of each source on. Scope `knowledge:write`."
      })
    ),
    HttpApiEndpoint.delete("remove", "/:id", { params, success: Removed, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a knowledge base",
        description: "With its sources and questions. Agents that had it find nothing in it. Scope `knowledge:write`."
      })
    ),
    HttpApiEndpoint.post("search", "/:id/search", { params, payload: Question, success: Found, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Look something up",
        description:
          "What an agent would find, the best first: 5 passages, or `limit`. `answered: false` means that an agent would say that it does not know. " +
          "Such a question is not collected here. Scope `knowledge:read`."
      })
    ),
    HttpApiEndpoint.get("unanswered", "/:id/unanswered", {
      params,
      query: listQuery,
      success: listOf(UnansweredQuestion),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List questions that agents could not answer, newest first",
        description: "The newest 1,000. They go with their conversation and after a year. Scope `knowledge:read`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/knowledge-bases") {}
