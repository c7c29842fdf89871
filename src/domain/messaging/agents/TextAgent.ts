/** The record of a text agent: it answers contacts in chat with the same prompts, tools and care as a voice agent answers calls. */
import { Context, type Effect, Schema } from "effect"
import { ToolDefinition } from "../../ai/tools/Tool.ts"
import { exampleIds } from "../../basics/Examples.ts"
import type { Page } from "../../basics/Listing.ts"
import { maxCharacters } from "../../basics/PlainText.ts"

/** The channels on which text agents answer. */
export const AgentChannel = Schema.Literal("messaging")
export type AgentChannel = typeof AgentChannel.Type

/**
 * Which conversations an agent takes when a contact writes. None takes one in which a person has written, until it is handed back.
 *
 * - `always`: also those that are assigned to a person who has not written yet.
 * - `outside_hours`: the same, outside the organization's business hours only.
 * - `when_unassigned`: those that nobody has.
 * - `never`: only those that are assigned to it.
 */
export const Answers = Schema.Literals(["always", "outside_hours", "when_unassigned", "never"])
export type Answers = typeof Answers.Type

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

export const AgentLimits = Schema.Struct({
  /** How long it waits for more after a message that is neither a question nor a file. */
  waitMs: between(0, 8_000),
  /** The part of the conversation that the model reads. */
  historyTokens: between(500, 16_000),
  /** The most requests to the model in one turn. */
  modelCallsPerTurn: between(1, 8),
  /** A turn that takes longer has failed. */
  secondsPerTurn: between(5, 30)
})
export type AgentLimits = typeof AgentLimits.Type

const text = (maximum: number) => Schema.String.check(maxCharacters(maximum))

/** Every settable attribute. All but `name` have defaults (`textAgentDefaults`). */
export const TextAgentSettings = Schema.Struct({
  name: text(120).check(Schema.isMinLength(1)),
  description: text(2_000),
  systemPrompt: text(20_000),
  tools: Schema.Array(ToolDefinition),
  /** Shares system prompt and tools with this voice agent (`agt_…`); null: it has its own. */
  voiceAgentId: Schema.NullOr(Schema.String),
  knowledgeBases: Schema.Array(Schema.String),
  /** BCP 47. */
  language: Schema.String,
  /** Beside the words for a human in every language. */
  escalationPhrases: Schema.Array(text(100)),
  /** TurnMessage when it cannot answer, and a human takes over. */
  fallbackLine: text(500),
  /** TurnMessage when a human takes over because the contact wants one. */
  handOverLine: text(500),
  /** TurnMessage instead of both outside business hours; null: the same lines. */
  outsideHoursLine: Schema.NullOr(text(500)),
  /** Its first message in a conversation begins with this. */
  disclosureText: text(500),
  channels: Schema.Array(AgentChannel),
  answers: Answers,
  limits: AgentLimits
})
export type TextAgentSettings = typeof TextAgentSettings.Type

export const textAgentDefaults = {
  description: "",
  systemPrompt: "",
  tools: [],
  voiceAgentId: null,
  knowledgeBases: [],
  language: "en-US",
  escalationPhrases: [],
  fallbackLine: "I am sorry, I cannot help with that. A colleague will answer you here.",
  handOverLine: "I have passed this on to a colleague, who will answer you here.",
  outsideHoursLine: null,
  disclosureText: "I am an AI assistant.",
  channels: ["messaging"],
  answers: "when_unassigned",
  limits: { waitMs: 1_200, historyTokens: 4_000, modelCallsPerTurn: 8, secondsPerTurn: 30 }
} satisfies Partial<TextAgentSettings>

/** The most text agents of an organization: an inbound message is compared with all of them. */
export const mostTextAgents = 50

export const TextAgent = Schema.Struct({
  id: Schema.String,
  organizationId: Schema.String,
  ...TextAgentSettings.fields,
  createdAt: Schema.String,
  updatedAt: Schema.String
}).annotate({
  identifier: "TextAgent",
  examples: [
    {
      id: exampleIds.textAgent,
      organizationId: exampleIds.organization,
      ...textAgentDefaults,
      name: "Shop assistant",
      systemPrompt: "You answer messages for Maple Books, a bookshop in Boston. Be short and friendly.",
      createdAt: "2026-11-20T08:21:00.000Z",
      updatedAt: "2026-11-20T08:21:00.000Z"
    }
  ]
})
export type TextAgent = typeof TextAgent.Type

/** HTTP 409: two text agents of one organization cannot share a name. */
export class DuplicateTextAgent extends Schema.TaggedError<DuplicateTextAgent>()("DuplicateTextAgent", {
  name: Schema.String
}) {}

/** Port of the stored text agents. */
export class TextAgents extends Context.Service<
  TextAgents,
  {
    /** Newest first. */
    readonly list: (organizationId: string, page: number, limit: number) => Effect.Effect<Page<TextAgent>>
    readonly find: (organizationId: string, id: string) => Effect.Effect<TextAgent | undefined>
    /** False when the organization has `most` agents already. */
    readonly create: (agent: TextAgent, most: number) => Effect.Effect<boolean, DuplicateTextAgent>
    /** Locks the record, and writes what `change` makes of it; `undefined` when there is no such agent. */
    readonly update: <E>(
      organizationId: string,
      id: string,
      change: (before: TextAgent) => Effect.Effect<TextAgent, E>
    ) => Effect.Effect<{ readonly before: TextAgent; readonly after: TextAgent } | undefined, E | DuplicateTextAgent>
    /** Gives the removed agent. Its conversations become OPEN. `undefined` when there is no such agent. */
    readonly remove: (organizationId: string, id: string) => Effect.Effect<TextAgent | undefined>
  }
>()("parley/domain/TextAgents") {}
