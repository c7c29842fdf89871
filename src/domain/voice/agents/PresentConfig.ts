/** The configuration of an agent as it is now, with the tools of MCP servers that it has at present. */
import { Effect } from "effect"
import { makeForeignTools } from "../../ai/tools/ForeignTools.ts"
import type { Organization } from "../../people/organizations/Organization.ts"
import { agentConfig } from "./AgentConfigs.ts"
import type { VoiceAgent } from "./VoiceAgent.ts"

/** Needs McpServers; the function it returns needs nothing. */
export const makePresentConfig = Effect.map(
  makeForeignTools,
  (foreignTools) =>
    (agent: VoiceAgent, organization: Pick<Organization, "id" | "disclosureText" | "disclosureTexts" | "flags">) =>
      Effect.map(foreignTools(organization.id, agent.tools), ({ tools }) => agentConfig(agent, organization, tools))
)
