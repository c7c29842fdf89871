/** The voice agent record: what a customer may set, and what is stored. `docs/decisions.md` explains the defaults and rules. */
import { Context, Effect, Schema } from "effect"
import { VoiceFamily } from "../../ai/providers/Speech.ts"
import { ToolDefinition } from "../../ai/tools/Tool.ts"
import { exampleIds } from "../../basics/Examples.ts"
import { JsonRecord } from "../../basics/Json.ts"
import type { Page } from "../../basics/Listing.ts"
import { maxCharacters } from "../../basics/PlainText.ts"

export const primaryLanguages = [
  "hi-IN",
  "ta-IN",
  "te-IN",
  "bn-IN",
  "mr-IN",
  "gu-IN",
  "pa-IN",
  "kn-IN",
  "ml-IN",
  "od-IN",
  "en-US",
  "en-GB",
  "en-AU"
] as const
export const PrimaryLanguage = Schema.Literals(primaryLanguages)
export type PrimaryLanguage = typeof PrimaryLanguage.Type

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

export const SilencePolicy = Schema.Struct({
  promptAfterSeconds: Schema.Number.check(Schema.isBetween({ minimum: 1, maximum: 120 })),
  maxPrompts: between(0, 10),
  promptText: Schema.String,
  goodbyeText: Schema.String
})
export const Endpointing = Schema.Struct({
  minSilenceMs: between(100, 5_000),
  maxSilenceMs: between(200, 10_000),
  /** `auto`: the model says, with the answer that it begins on a guess, whether the caller has finished. `off`: the words alone decide. */
  semantic: Schema.Literals(["auto", "off"])
})
export const Interruption = Schema.Struct({
  enabled: Schema.Boolean,
  minSpeechMs: between(40, 2_000),
  minWords: between(0, 10)
})

/** What a caller hears outside business hours, and how long the caller's message may be. */
export const VoicemailPolicy = Schema.Struct({
  /** Null: a fixed sentence in the agent's language. */
  message: Schema.NullOr(Schema.String.check(maxCharacters(1_000), Schema.isPattern(/\S/))),
  maxSeconds: between(10, 300)
})

const text = (maximum: number) => Schema.String.check(maxCharacters(maximum))

/** Every settable attribute; all but the first five have defaults (`voiceAgentDefaults`). */
export const VoiceAgentSettings = Schema.Struct({
  name: text(120).check(Schema.isMinLength(1)),
  welcomeMessage: text(1_000).check(Schema.isMinLength(1)),
  voiceFamily: VoiceFamily,
  voiceId: Schema.String,
  systemPrompt: text(20_000),
  description: text(2_000),
  tools: Schema.Array(ToolDefinition),
  /** The knowledge bases that the agent looks things up in. */
  knowledgeBases: Schema.Array(Schema.String),
  /** What is to be found in each call afterwards: a JSON schema of an object; null: only summary, outcome, reason and next step. */
  callFields: Schema.NullOr(JsonRecord),
  recording: Schema.Boolean,
  primaryLanguage: PrimaryLanguage,
  backchanneling: Schema.Boolean,
  use_fillers: Schema.Boolean,
  ambient_noise: Schema.Boolean,
  escalationPhrases: Schema.Array(text(100)),
  humanDestination: Schema.NullOr(Schema.String),
  fallbackLine: text(500),
  silence: SilencePolicy,
  endpointing: Endpointing,
  interruption: Interruption,
  maxCallSeconds: between(30, 14_400),
  voicemail: VoicemailPolicy
})
export type VoiceAgentSettings = typeof VoiceAgentSettings.Type

export const voiceAgentDefaults = {
  description: "",
  tools: [],
  knowledgeBases: [],
  callFields: null,
  recording: false,
  primaryLanguage: "en-US",
  backchanneling: false,
  use_fillers: false,
  ambient_noise: false,
  escalationPhrases: [],
  humanDestination: null,
  fallbackLine: "I am sorry, I cannot help with that. Let me connect you with a colleague.",
  silence: {
    promptAfterSeconds: 8,
    maxPrompts: 2,
    promptText: "Are you still there?",
    goodbyeText: "I cannot hear you, so I will hang up now. Goodbye."
  },
  endpointing: { minSilenceMs: 400, maxSilenceMs: 2_500, semantic: "auto" },
  interruption: { enabled: true, minSpeechMs: 200, minWords: 0 },
  maxCallSeconds: 1_800,
  voicemail: { message: null, maxSeconds: 120 }
} satisfies Partial<VoiceAgentSettings>

/** The fixed provider stack (locked on 24 April 2026). */
export const ProviderStack = Schema.Struct({
  speechToText: Schema.String,
  reasoning: Schema.String,
  textToSpeech: Schema.String,
  lockedAt: Schema.NullOr(Schema.String)
})
export type ProviderStack = typeof ProviderStack.Type

/**
 * Something the customer requested that calls do not have: a feature the voice does not support, or a premium voice. The record shows it, so
 * the change is never silent.
 */
export const Override = Schema.Struct({
  feature: Schema.Literals(["backchanneling", "use_fillers", "ambient_noise", "premium_voice"]),
  requested: Schema.Boolean,
  effective: Schema.Boolean,
  reason: Schema.String
})
export type Override = typeof Override.Type

export const VoiceAgent = Schema.Struct({
  id: Schema.String,
  organizationId: Schema.String,
  ...VoiceAgentSettings.fields,
  /** The assigned number in E.164 form, or null. */
  phoneNumber: Schema.NullOr(Schema.String),
  providerStack: ProviderStack,
  createdAt: Schema.String,
  updatedAt: Schema.String
}).annotate({
  examples: [
    {
      id: exampleIds.agent,
      organizationId: exampleIds.organization,
      ...voiceAgentDefaults,
      name: "Front desk",
      welcomeMessage: "Maple Books, how can I help you?",
      voiceFamily: "english",
      voiceId: "aura-2-thalia-en",
      systemPrompt: "You answer calls for Maple Books, a bookshop in Boston. Be short and friendly.",
      humanDestination: "+14155550199",
      phoneNumber: "+16175550142",
      providerStack: {
        speechToText: "saarika:v2.5",
        reasoning: "hosted-llm",
        textToSpeech: "aura-2-*",
        lockedAt: "2026-04-24T00:00:00.000Z"
      },
      createdAt: "2026-11-20T08:20:00.000Z",
      updatedAt: "2026-11-20T08:20:00.000Z"
    }
  ]
})
export type VoiceAgent = typeof VoiceAgent.Type

/** HTTP 409: two agents of one organization cannot share a name. */
export class DuplicateAgent extends Schema.TaggedError<DuplicateAgent>()("DuplicateAgent", { name: Schema.String }) {}

export class VoiceAgents extends Context.Service<
  VoiceAgents,
  {
    readonly list: (organizationId: string, page: number, limit: number) => Effect.Effect<Page<VoiceAgent>>
    readonly find: (organizationId: string, agentId: string) => Effect.Effect<VoiceAgent | undefined>
    readonly count: (organizationId: string) => Effect.Effect<number>
    /** Whether another agent of the organization has this name. */
    readonly isNameTaken: (agent: Pick<VoiceAgent, "organizationId" | "id" | "name">) => Effect.Effect<boolean>
    readonly create: (agent: VoiceAgent) => Effect.Effect<void, DuplicateAgent>
    /** Writes the record if its `updatedAt` is still `readAt`. False: the record was changed meanwhile, or is gone. */
    readonly update: (agent: VoiceAgent, readAt: string) => Effect.Effect<boolean, DuplicateAgent>
    /** True when the agent existed. Its number stays with the organization, unassigned. */
    readonly remove: (organizationId: string, agentId: string) => Effect.Effect<boolean>
  }
>()("parley/domain/VoiceAgents") {}

const pageSize = 100

/** The ids of all agents of an organization. All are read before the first is used, because new agents would shift the pages. */
export const everyAgentId = Effect.fnUntraced(function* (
  { list }: Pick<VoiceAgents["Service"], "list">,
  organizationId: string
) {
  const ids = new Set<string>()
  for (let at = 1; ; at++) {
    const { data } = yield* list(organizationId, at, pageSize)
    for (const { id } of data) ids.add(id)
    if (data.length < pageSize) return [...ids]
  }
})
