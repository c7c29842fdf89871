/** Makes the configuration that an engine runs: an agent's record merged with its organization and the models of its provider stack. */
import { createHash } from "node:crypto"
import { ownKnowledgeTool } from "../../ai/knowledge/KnowledgeTool.ts"
import { type ForeignTools, modelTools } from "../../ai/tools/ForeignTools.ts"
import { escalateToHuman, type ToolDefinition } from "../../ai/tools/Tool.ts"
import { canonicalJson } from "../../basics/Json.ts"
import { type Organization, premiumRefusal } from "../../people/organizations/Organization.ts"
import type { AgentConfig } from "../engine/AgentConfig.ts"
import { resolveFeatures } from "./Compatibility.ts"
import { disclosureIn } from "./DisclosureSentences.ts"
import type { ProviderStack, VoiceAgent, VoiceAgentSettings } from "./VoiceAgent.ts"
import { indianTag, spokenTag, standIn } from "./Voices.ts"

/** The locked model of speech-to-text. */
export const speechToText = "saarika:v2.5"
const reasoning = "hosted-llm"

const englishModels = "aura-2-*"

/** The locked text-to-speech model of a voice. Each English voice is its own model. */
const speechModel = (settings: Pick<VoiceAgentSettings, "voiceFamily" | "voiceId">): string => {
  switch (settings.voiceFamily) {
    case "indic":
      return "bulbul:v2"
    case "english":
      return settings.voiceId
    case "premium":
      return "eleven_flash_v2_5"
  }
}

/** The provider stack that each save writes into the record. */
export const lockedStack = (settings: Pick<VoiceAgentSettings, "voiceFamily" | "voiceId">): ProviderStack => ({
  speechToText,
  reasoning,
  textToSpeech: settings.voiceFamily === "english" ? englishModels : speechModel(settings),
  lockedAt: "2026-04-24T00:00:00.000Z"
})

/** Whether the agent was last saved before the stack was locked. Such an agent keeps the models it had. */
export const isLegacy = ({ providerStack }: Pick<VoiceAgent, "providerStack">): boolean =>
  providerStack.lockedAt === null

/** The models of an agent. A stack names the English models together (`aura-2-*`); the agent's voice says which of them it is. */
const modelsOf = (agent: Pick<VoiceAgent, "voiceFamily" | "voiceId" | "providerStack">) => {
  const stack = isLegacy(agent) ? agent.providerStack : lockedStack(agent)
  return { ...stack, textToSpeech: stack.textToSpeech === englishModels ? agent.voiceId : stack.textToSpeech }
}

/** What a speech request to the provider says about the agent's voice. */
export const voiceConfig = (
  agent: Pick<VoiceAgent, "voiceFamily" | "voiceId" | "primaryLanguage" | "providerStack">
): AgentConfig["voice"] => ({
  family: agent.voiceFamily,
  voiceId: agent.voiceId,
  model: modelsOf(agent).textToSpeech,
  language: spokenTag(agent.voiceFamily, agent.primaryLanguage)
})

/** The speech-to-text settings for callers who speak this language. */
export const transcriptionConfig = (
  primaryLanguage: string,
  model: string = speechToText
): AgentConfig["transcription"] => ({
  model,
  language: indianTag(primaryLanguage)
})

/** The tools of an agent with their handlers: its own, and the one that looks things up in its knowledge bases. */
export const agentTools = ({
  tools,
  knowledgeBases
}: Pick<VoiceAgent, "tools" | "knowledgeBases">): ReadonlyArray<ToolDefinition> =>
  knowledgeBases.length === 0 || tools.some(({ name }) => name === ownKnowledgeTool.name)
    ? tools
    : [...tools, ownKnowledgeTool]

/** The agent as callers hear it. While its organization may not use premium voices, another voice replaces a premium one. */
export const asHeard = (agent: VoiceAgent, organization: Pick<Organization, "flags">): VoiceAgent => {
  if (agent.voiceFamily !== "premium" || premiumRefusal(organization) === undefined) return agent
  const { family: voiceFamily, id: voiceId } = standIn(agent.voiceFamily, agent.voiceId, agent.primaryLanguage)
  return { ...agent, voiceFamily, voiceId, providerStack: lockedStack({ voiceFamily, voiceId }) }
}

/** `foreign`: the tools of MCP servers that the agent has at present. Pure: equal inputs give an equal configuration and an equal `version` (the first 32 hex digits of its SHA-256). */
export const agentConfig = (
  record: VoiceAgent,
  organization: Pick<Organization, "id" | "disclosureText" | "disclosureTexts" | "flags">,
  foreign: ForeignTools = new Map()
): AgentConfig => {
  const agent = asHeard(record, organization)
  const { effective } = resolveFeatures(agent, { family: agent.voiceFamily, id: agent.voiceId })
  const { knowledgeBases } = agent
  const own = modelTools(
    agentTools(agent).filter((tool) => tool.name !== escalateToHuman.name),
    foreign
  )
  const content = {
    organizationId: organization.id,
    agentId: agent.id,
    name: agent.name,
    disclosureText: disclosureIn(organization, agent.primaryLanguage),
    welcomeMessage: agent.welcomeMessage,
    fallbackLine: agent.fallbackLine,
    voice: voiceConfig(agent),
    transcription: transcriptionConfig(agent.primaryLanguage, modelsOf(agent).speechToText),
    systemPrompt: agent.systemPrompt,
    tools: [...own, escalateToHuman],
    ...(knowledgeBases.length === 0 ? {} : { knowledgeBases }),
    recording: agent.recording,
    ...effective,
    escalationPhrases: agent.escalationPhrases,
    humanDestination: agent.humanDestination,
    silence: agent.silence,
    endpointing: agent.endpointing,
    interruption: agent.interruption,
    maxCallSeconds: agent.maxCallSeconds
  }
  return { ...content, version: createHash("sha256").update(canonicalJson(content)).digest("hex").slice(0, 32) }
}
