/** The versions of a voice agent. */
import { Context } from "effect"
import { type SavedVersions, savedVersion } from "../../people/access/SavedVersion.ts"
import type { VoiceAgentSettings } from "./VoiceAgent.ts"

export const AgentVersion = savedVersion("VoiceAgentVersion", "Front desk")

/** Port of the stored versions. `VoiceAgents` writes them. */
export class AgentVersions extends Context.Service<AgentVersions, SavedVersions<VoiceAgentSettings>>()(
  "parley/domain/AgentVersions"
) {}
