/** The engine's request for what the knowledge bases of an agent say about the caller's words, and the app's answer. */
import { Schema } from "effect"
import { AnswerSource } from "../../ai/tools/ToolRunner.ts"
import { exampleIds } from "../../basics/Examples.ts"

export const KnowledgeLookup = Schema.Struct({
  organizationId: Schema.String,
  knowledgeBases: Schema.Array(Schema.String).check(Schema.isMaxLength(100)),
  text: Schema.String
}).annotate({
  title: "KnowledgeLookup",
  examples: [
    {
      organizationId: exampleIds.organization,
      knowledgeBases: [exampleIds.knowledgeBase],
      text: "How long can I return a book?"
    }
  ]
})
export type KnowledgeLookup = typeof KnowledgeLookup.Type

/** `text` is what a model reads; empty: nothing was found. */
export const KnowledgeFound = Schema.Struct({ text: Schema.String, sources: Schema.Array(AnswerSource) }).annotate({
  title: "KnowledgeFound",
  examples: [
    {
      text: "[1] Returns > Time\nYou can return a book within 30 days.",
      sources: [
        {
          knowledgeBaseId: exampleIds.knowledgeBase,
          sourceId: exampleIds.knowledgeSource,
          title: "Returns",
          url: "https://maplebooks.example/returns"
        }
      ]
    }
  ]
})
export type KnowledgeFound = typeof KnowledgeFound.Type
