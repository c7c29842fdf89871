import { Schema } from "effect"
import { VoiceFamily } from "../../ai/providers/Speech.ts"
import { ModelTool } from "../../ai/tools/Tool.ts"
import { exampleIds } from "../../basics/Examples.ts"

/** The merged configuration that the engine runs an agent with. `version` is a hash of the content, which the app computes. */
export const AgentConfig = Schema.Struct({
  organizationId: Schema.String,
  agentId: Schema.String,
  version: Schema.String,
  name: Schema.String,
  disclosureText: Schema.String,
  welcomeMessage: Schema.String,
  fallbackLine: Schema.String,
  voice: Schema.Struct({ family: VoiceFamily, voiceId: Schema.String, model: Schema.String, language: Schema.String }),
  transcription: Schema.Struct({ model: Schema.String, language: Schema.String }),
  systemPrompt: Schema.String,
  tools: Schema.Array(ModelTool),
  /** Absent: none. */
  knowledgeBases: Schema.optionalKey(Schema.Array(Schema.String)),
  recording: Schema.Boolean,
  backchanneling: Schema.Boolean,
  use_fillers: Schema.Boolean,
  ambient_noise: Schema.Boolean,
  escalationPhrases: Schema.Array(Schema.String),
  humanDestination: Schema.NullOr(Schema.String),
  silence: Schema.Struct({
    promptAfterSeconds: Schema.Number,
    maxPrompts: Schema.Int,
    promptText: Schema.String,
    goodbyeText: Schema.String
  }),
  endpointing: Schema.Struct({
    minSilenceMs: Schema.Int,
    maxSilenceMs: Schema.Int,
    /** Absent from an app that is older than the engine: `auto`. */
    semantic: Schema.optionalKey(Schema.Literals(["auto", "off"]))
  }),
  interruption: Schema.Struct({ enabled: Schema.Boolean, minSpeechMs: Schema.Int, minWords: Schema.Int }),
  maxCallSeconds: Schema.Int
}).annotate({
  title: "AgentConfig",
  examples: [
    {
      organizationId: exampleIds.organization,
      agentId: exampleIds.agent,
      version: "5f2b0c7d9e41a386",
      name: "Front desk",
      disclosureText: "This call may be recorded.",
      welcomeMessage: "Maple Books, how can I help you?",
      fallbackLine: "I am sorry, I cannot help with that. Let me connect you with a colleague.",
      voice: { family: "english", voiceId: "aura-2-thalia-en", model: "aura-2", language: "en-US" },
      transcription: { model: "nova-3", language: "en-US" },
      systemPrompt: "You answer calls for Maple Books, a bookshop in Boston. Be short and friendly.",
      tools: [],
      recording: false,
      backchanneling: false,
      use_fillers: false,
      ambient_noise: false,
      escalationPhrases: [],
      humanDestination: "+14155550199",
      silence: {
        promptAfterSeconds: 8,
        maxPrompts: 2,
        promptText: "Are you still there?",
        goodbyeText: "I cannot hear you, so I will hang up now. Goodbye."
      },
      endpointing: { minSilenceMs: 400, maxSilenceMs: 2_500, semantic: "auto" },
      interruption: { enabled: true, minSpeechMs: 200, minWords: 0 },
      maxCallSeconds: 1_800
    }
  ]
})
export type AgentConfig = typeof AgentConfig.Type
