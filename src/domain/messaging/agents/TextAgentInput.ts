/** What a customer sends to create or change a text agent, and how it is merged with the defaults or the earlier record. */
import { Schema, Struct } from "effect"
import { mostKnowledgeBases } from "../../ai/knowledge/KnowledgeTool.ts"
import { toolsExcess } from "../../ai/tools/ToolRules.ts"
import { exampleIds } from "../../basics/Examples.ts"
import { anyText, lines, oneLine, plainText } from "../../basics/PlainText.ts"
import { AgentLimits, TextAgentSettings, textAgentDefaults } from "./TextAgent.ts"

const fields = TextAgentSettings.fields

const Language = Schema.String.check(
  Schema.makeFilter(
    (tag: string) =>
      /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/.test(tag) || "must be a language like en-US or hi."
  )
)

const Id = (prefix: string, what: string) =>
  Schema.String.check(
    Schema.isMaxLength(60),
    Schema.makeFilter(
      (id: string) => new RegExp(`^${prefix}_[0-9A-Za-z]+$`).test(id) || `must be the id of ${what} (${prefix}_…).`
    )
  )

const once = Schema.makeFilter(
  (items: ReadonlyArray<unknown>) => new Set(items).size === items.length || "must not name one twice."
)

const Settings = Schema.Struct({
  ...fields,
  name: plainText(120),
  description: anyText(2_000),
  systemPrompt: anyText(20_000),
  tools: fields.tools.check(Schema.makeFilter((tools) => toolsExcess(tools) ?? true)),
  voiceAgentId: Schema.NullOr(Id("agt", "a voice agent")),
  knowledgeBases: Schema.Array(Id("kb", "a knowledge base")).check(Schema.isMaxLength(mostKnowledgeBases), once),
  language: Language,
  escalationPhrases: Schema.Array(oneLine(100)).check(Schema.isMaxLength(50)),
  fallbackLine: lines(500),
  handOverLine: lines(500),
  outsideHoursLine: Schema.NullOr(lines(500)),
  disclosureText: lines(500).check(
    Schema.makeFilter(
      (text: string) => /\p{L}/u.test(text) || "must have words: the disclosure can be changed, but not switched off."
    )
  ),
  channels: fields.channels.check(Schema.isMaxLength(10), once)
})

const { name, ...withDefault } = Settings.fields
/** Limits may be given in part; the others keep their values. */
const limits = Schema.optionalKey(AgentLimits.mapFields(Struct.map(Schema.optionalKey)))

export const NewTextAgent = Schema.Struct({
  name,
  ...Struct.map(withDefault, Schema.optionalKey),
  limits
}).annotate({
  title: "NewTextAgent",
  examples: [
    {
      name: "Shop assistant",
      systemPrompt: "You answer messages for Maple Books, a bookshop in Boston. Be short and friendly.",
      tools: [
        {
          name: "find_order",
          description: "Finds an order by its number.",
          parameters: { type: "object", properties: { orderNumber: { type: "string" } }, required: ["orderNumber"] },
          handler: { type: "http", url: "https://maplebooks.example/orders", method: "GET" }
        }
      ],
      answers: "when_unassigned",
      limits: { waitMs: 2_000 }
    },
    { name: "The voice agent in chat", voiceAgentId: exampleIds.agent, answers: "outside_hours" }
  ]
})
export type NewTextAgent = typeof NewTextAgent.Type

export const TextAgentChanges = Schema.Struct({
  ...Struct.map(Settings.fields, Schema.optionalKey),
  limits
}).annotate({
  title: "TextAgentChanges",
  examples: [{ handOverLine: "Ben will answer you here in a moment.", answers: "always" }]
})
export type TextAgentChanges = typeof TextAgentChanges.Type

/** A record's settings with the changes applied. */
export const changedSettings = (base: TextAgentSettings, changes: TextAgentChanges): TextAgentSettings => ({
  ...base,
  ...changes,
  limits: { ...base.limits, ...changes.limits }
})

/** A new agent's settings: the defaults, overridden by what the customer sent. */
export const settingsOfNew = (input: NewTextAgent): TextAgentSettings => {
  const defaults: Omit<TextAgentSettings, "name"> = textAgentDefaults
  return changedSettings({ ...defaults, name: input.name }, input)
}
