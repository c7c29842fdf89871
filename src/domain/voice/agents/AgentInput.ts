/**
 * What a customer sends to create or change a voice agent, and how it is merged with the defaults or the earlier record. Sizes are bounded,
 * because engines keep the configuration of every agent and read it in each turn of a call. A record that is older than a bound keeps its value.
 */
import { Result, Schema, Struct } from "effect"
import { mostKnowledgeBases } from "../../ai/knowledge/KnowledgeTool.ts"
import { GivenTool, toolDefinition } from "../../ai/tools/Tool.ts"
import { toolsExcess } from "../../ai/tools/ToolRules.ts"
import { checkSchema } from "../../ai/tools/ToolSchema.ts"
import type { JsonObject } from "../../basics/Json.ts"
import { anyText, oneLine, plainText } from "../../basics/PlainText.ts"
import {
  Endpointing,
  Interruption,
  SilencePolicy,
  VoiceAgentSettings,
  VoicemailPolicy,
  voiceAgentDefaults
} from "./VoiceAgent.ts"

const fields = VoiceAgentSettings.fields

/** The most characters of the schema of what is to be found in calls: it is part of a request for each call. */
const longestFields = 8_000

const fieldsProblem = (schema: JsonObject | null): string | undefined => {
  if (schema === null) return undefined
  if (JSON.stringify(schema).length > longestFields) return `must have at most ${longestFields} characters as JSON.`
  const checked = checkSchema(schema)
  return Result.isFailure(checked) ? `must be a JSON schema of an object, but it ${checked.failure}` : undefined
}

const Settings = Schema.Struct({
  ...fields,
  name: plainText(120),
  welcomeMessage: anyText(1_000).check(Schema.isMinLength(1)),
  systemPrompt: anyText(20_000),
  description: anyText(2_000),
  tools: Schema.Array(GivenTool).check(Schema.makeFilter((tools) => toolsExcess(tools) ?? true)),
  knowledgeBases: Schema.Array(oneLine(200)).check(
    Schema.isMaxLength(mostKnowledgeBases),
    Schema.makeFilter((ids) => new Set(ids).size === ids.length || "must name each knowledge base once.")
  ),
  callFields: fields.callFields.check(Schema.makeFilter((schema) => fieldsProblem(schema) ?? true)),
  escalationPhrases: Schema.Array(oneLine(100)).check(Schema.isMaxLength(50)),
  humanDestination: Schema.NullOr(oneLine(255)),
  fallbackLine: anyText(500),
  silence: Schema.Struct({ ...SilencePolicy.fields, promptText: anyText(500), goodbyeText: anyText(500) }),
  voicemail: Schema.Struct({
    ...VoicemailPolicy.fields,
    message: Schema.NullOr(anyText(1_000).check(Schema.isPattern(/\S/)))
  })
})

const { name, welcomeMessage, voiceFamily, voiceId, systemPrompt, ...withDefault } = Settings.fields
const required = { name, welcomeMessage, voiceFamily, voiceId, systemPrompt }

/** A policy may be given in part; its other fields keep their values. */
const policies = {
  silence: Schema.optionalKey(Settings.fields.silence.mapFields(Struct.map(Schema.optionalKey))),
  endpointing: Schema.optionalKey(Endpointing.mapFields(Struct.map(Schema.optionalKey))),
  interruption: Schema.optionalKey(Interruption.mapFields(Struct.map(Schema.optionalKey))),
  voicemail: Schema.optionalKey(Settings.fields.voicemail.mapFields(Struct.map(Schema.optionalKey)))
}

export const NewVoiceAgent = Schema.Struct({
  ...required,
  ...Struct.map(withDefault, Schema.optionalKey),
  ...policies
}).annotate({
  title: "NewVoiceAgent",
  examples: [
    {
      name: "Front desk",
      welcomeMessage: "Maple Books, how can I help you?",
      voiceFamily: "english",
      voiceId: "aura-2-thalia-en",
      systemPrompt: "You answer calls for Maple Books, a bookshop in Boston. Be short and friendly.",
      humanDestination: "+14155550199",
      tools: [
        {
          name: "find_order",
          description: "Finds an order by its number.",
          parameters: { type: "object", properties: { orderNumber: { type: "string" } }, required: ["orderNumber"] },
          handler: { type: "http", url: "https://maplebooks.example/orders", method: "POST" }
        }
      ],
      silence: { promptAfterSeconds: 10 }
    }
  ]
})
export type NewVoiceAgent = typeof NewVoiceAgent.Type

export const VoiceAgentChanges = Schema.Struct({
  ...Struct.map(Settings.fields, Schema.optionalKey),
  ...policies
}).annotate({
  title: "VoiceAgentChanges",
  examples: [{ welcomeMessage: "Hello, this is Maple Books.", interruption: { minWords: 1 } }]
})
export type VoiceAgentChanges = typeof VoiceAgentChanges.Type

type Optional = Omit<VoiceAgentSettings, keyof typeof required>

/** The policy with the changes applied; `undefined` (the key was not sent) changes nothing. */
const over = <A extends object>(base: A, changes: Partial<A> | undefined): A => {
  if (changes === undefined) return base
  return { ...base, ...changes }
}

/** A record's settings with the changes applied. */
export const applyChanges = (base: VoiceAgentSettings, changes: VoiceAgentChanges): VoiceAgentSettings => ({
  ...base,
  ...changes,
  tools: changes.tools === undefined ? base.tools : changes.tools.map(toolDefinition),
  silence: over(base.silence, changes.silence),
  endpointing: over(base.endpointing, changes.endpointing),
  interruption: over(base.interruption, changes.interruption),
  voicemail: over(base.voicemail, changes.voicemail)
})

/** A new agent's settings: the defaults, overridden by what the customer sent. */
export const withDefaults = (input: NewVoiceAgent): VoiceAgentSettings => {
  const defaults: Optional = voiceAgentDefaults
  const { name, welcomeMessage, voiceFamily, voiceId, systemPrompt } = input
  return applyChanges({ ...defaults, name, welcomeMessage, voiceFamily, voiceId, systemPrompt }, input)
}
