import { Schema } from "effect"
import { VoiceFamily } from "../../ai/providers/Speech.ts"
import { ToolSpec } from "../../ai/tools/Tool.ts"

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
  tools: Schema.Array(ToolSpec),
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
  endpointing: Schema.Struct({ minSilenceMs: Schema.Int, maxSilenceMs: Schema.Int }),
  interruption: Schema.Struct({ enabled: Schema.Boolean, minSpeechMs: Schema.Int, minWords: Schema.Int }),
  maxCallSeconds: Schema.Int
})
export type AgentConfig = typeof AgentConfig.Type
