/** Knowledge bases: what an organization's agents can look things up in. Each has sources. */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import type { Listed, Part } from "../../basics/Listing.ts"
import { anyText, plainText } from "../../basics/PlainText.ts"
import { knowledgeLanguages } from "./KnowledgeLanguage.ts"

/** The language of a source whose own is not told by its script. */
const Language = Schema.Literals(knowledgeLanguages)

export const KnowledgeBase = Schema.Struct({
  id: Schema.String,
  organizationId: Schema.String,
  name: Schema.String,
  description: Schema.String,
  language: Language,
  sources: Schema.Int,
  /** How many passages can be found. */
  passages: Schema.Int,
  createdAt: Schema.String,
  updatedAt: Schema.String
}).annotate({
  title: "KnowledgeBase",
  examples: [
    {
      id: exampleIds.knowledgeBase,
      organizationId: exampleIds.organization,
      name: "Shop",
      description: "Opening hours, delivery, returns",
      language: "en",
      sources: 2,
      passages: 31,
      createdAt: "2026-11-20T08:00:00.000Z",
      updatedAt: "2026-11-20T08:00:00.000Z"
    }
  ]
})
export type KnowledgeBase = typeof KnowledgeBase.Type

const settable = { name: plainText(120), description: anyText(1_000), language: Language }

export const NewKnowledgeBase = Schema.Struct({
  name: settable.name,
  description: Schema.optionalKey(settable.description),
  language: Schema.optionalKey(settable.language)
}).annotate({
  title: "NewKnowledgeBase",
  examples: [{ name: "Shop", description: "Opening hours, delivery, returns", language: "en" }]
})
export type NewKnowledgeBase = typeof NewKnowledgeBase.Type

export const KnowledgeBaseChanges = Schema.Struct({
  name: Schema.optionalKey(settable.name),
  description: Schema.optionalKey(settable.description),
  language: Schema.optionalKey(settable.language)
}).annotate({ title: "KnowledgeBaseChanges", examples: [{ description: "Opening hours and returns" }] })
export type KnowledgeBaseChanges = typeof KnowledgeBaseChanges.Type

/** A question that agents could not answer from a knowledge base. */
export const UnansweredQuestion = Schema.Struct({
  id: Schema.String,
  knowledgeBaseId: Schema.String,
  question: Schema.String,
  agentId: Schema.String,
  conversationId: Schema.NullOr(Schema.String),
  createdAt: Schema.String
}).annotate({
  title: "UnansweredQuestion",
  examples: [
    {
      id: exampleIds.question,
      knowledgeBaseId: exampleIds.knowledgeBase,
      question: "Do you repair old bindings?",
      agentId: exampleIds.agent,
      conversationId: exampleIds.conversation,
      createdAt: "2026-11-21T19:00:31.000Z"
    }
  ]
})
export type UnansweredQuestion = typeof UnansweredQuestion.Type

export class KnowledgeBases extends Context.Service<
  KnowledgeBases,
  {
    readonly list: (organizationId: string, part: Part) => Effect.Effect<Listed<KnowledgeBase>>
    readonly find: (organizationId: string, id: string) => Effect.Effect<KnowledgeBase | undefined>
    /** Undefined when the organization has `most` already. */
    readonly create: (
      organizationId: string,
      input: NewKnowledgeBase,
      most: number
    ) => Effect.Effect<KnowledgeBase | undefined>
    /** Undefined when there is no such knowledge base. Another language counts from the next sync of each source on. */
    readonly update: (
      organizationId: string,
      id: string,
      changes: KnowledgeBaseChanges
    ) => Effect.Effect<KnowledgeBase | undefined>
    /** Removes it with everything in it. False when there was none. */
    readonly remove: (organizationId: string, id: string) => Effect.Effect<boolean>
    /** Those of the ids that are knowledge bases of the organization. */
    readonly known: (organizationId: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>>
    /** Stores a question for each of the knowledge bases. One whose conversation is gone is not stored. */
    readonly noteUnanswered: (
      organizationId: string,
      knowledgeBaseIds: ReadonlyArray<string>,
      question: Pick<UnansweredQuestion, "question" | "agentId" | "conversationId">
    ) => Effect.Effect<void>
    /** Newest first; undefined when there is no such knowledge base. */
    readonly unanswered: (
      organizationId: string,
      id: string,
      part: Part
    ) => Effect.Effect<Listed<UnansweredQuestion> | undefined>
  }
>()("parley/domain/KnowledgeBases") {}
