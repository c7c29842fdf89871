/** A voice agent as the API shows it: the record without its secrets, plus what each read and save computes. */
import { Schema } from "effect"
import { maskSecrets } from "../../ai/tools/ToolSecrets.ts"
import { exampleOf } from "../../basics/Examples.ts"
import { type Organization, premiumRefusal } from "../../people/organizations/Organization.ts"
import { asHeard } from "./AgentConfigs.ts"
import { resolveFeatures } from "./Compatibility.ts"
import { disclosureIn } from "./DisclosureSentences.ts"
import { Override, VoiceAgent } from "./VoiceAgent.ts"

export const AgentView = Schema.Struct({
  ...VoiceAgent.fields,
  /** Set for the whole organization; the default is in the agent's language. */
  disclosureText: Schema.String,
  overrides: Schema.Array(Override)
}).annotate({
  title: "VoiceAgent",
  examples: [{ ...exampleOf(VoiceAgent), disclosureText: "This call may be recorded.", overrides: [] }]
})
export type AgentView = typeof AgentView.Type

/** The requested features that the agent's calls do not have, and why. */
const overridesOf = (agent: VoiceAgent, organization: Pick<Organization, "flags">): ReadonlyArray<Override> => {
  const { voiceFamily: family, voiceId: id } = asHeard(agent, organization)
  const { overrides } = resolveFeatures(agent, { family, id })
  const refusal = family === agent.voiceFamily ? undefined : premiumRefusal(organization)
  if (refusal === undefined) return overrides
  const reason = `${refusal} Without it calls have the voice "${id}" of the ${family} family.`
  return [{ feature: "premium_voice", requested: true, effective: false, reason }, ...overrides]
}

export const agentView = (
  agent: VoiceAgent,
  organization: Pick<Organization, "disclosureText" | "disclosureTexts" | "flags">
): AgentView => ({
  ...agent,
  tools: maskSecrets(agent.tools),
  disclosureText: disclosureIn(organization, agent.primaryLanguage),
  overrides: overridesOf(agent, organization)
})
