/** What a caller of the interface sees of a voice agent: the record without its secrets, plus what is computed at each read and save. */
import { Schema } from "effect"
import { resolveFeatures } from "./Compatibility.ts"
import type { Organization } from "./Organization.ts"
import { maskSecrets } from "./ToolSecrets.ts"
import { Override, VoiceAgent } from "./VoiceAgent.ts"

export const AgentView = Schema.Struct({
  ...VoiceAgent.fields,
  /** The organization's. */
  disclosureText: Schema.String,
  overrides: Schema.Array(Override)
})
export type AgentView = typeof AgentView.Type

export const agentView = (agent: VoiceAgent, organization: Pick<Organization, "disclosureText">): AgentView => ({
  ...agent,
  tools: maskSecrets(agent.tools),
  disclosureText: organization.disclosureText,
  overrides: resolveFeatures(agent, { family: agent.voiceFamily, id: agent.voiceId }).overrides
})
