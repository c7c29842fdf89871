/** An agent's configuration as the engine gets it, with the given changes. */
import type { AgentConfig } from "../../src/domain/voice/engine/AgentConfig.ts"

export const agentOf = (changes: Partial<AgentConfig> = {}): AgentConfig => ({
  organizationId: "org_1",
  agentId: "agt_1",
  version: "v1",
  name: "Reception",
  disclosureText: "You may be speaking with an AI.",
  welcomeMessage: "Welcome to Acme.",
  fallbackLine: "I cannot help with that.",
  voice: { family: "english", voiceId: "aura-2-thalia-en", model: "aura-2-thalia-en", language: "en-US" },
  transcription: { model: "saarika:v2.5", language: "en-IN" },
  systemPrompt: "Help.",
  tools: [],
  recording: false,
  backchanneling: false,
  use_fillers: false,
  ambient_noise: false,
  escalationPhrases: [],
  humanDestination: "+14155550199",
  silence: { promptAfterSeconds: 8, maxPrompts: 2, promptText: "Are you there?", goodbyeText: "Goodbye then." },
  endpointing: { minSilenceMs: 400, maxSilenceMs: 2_500, semantic: "auto" },
  interruption: { enabled: true, minSpeechMs: 200, minWords: 0 },
  maxCallSeconds: 1_800,
  ...changes
})
