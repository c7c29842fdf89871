/** The settings of a voice agent as its row, and each row of its versions, has them: the headers of tools are encrypted. */
import { Effect } from "effect"
import { voiceAgentDefaults } from "../../../../domain/voice/agents/VoiceAgent.ts"
import type { KeyRing } from "../../../secrets/KeyRing.ts"
import { openTools, type StoredTool } from "../../../secrets/SealedTools.ts"

export interface StoredVoiceSettings {
  readonly tools?: ReadonlyArray<StoredTool>
  readonly endpointing?: object
}

/** The settings with their secrets, not yet checked. Those that were introduced after the row was written get their defaults. */
export const openVoiceSettings = (ring: KeyRing["Service"], organizationId: string, settings: StoredVoiceSettings) =>
  Effect.map(openTools(ring, "voice_agents", organizationId, settings.tools ?? []), (tools) => ({
    ...voiceAgentDefaults,
    ...settings,
    endpointing: { ...voiceAgentDefaults.endpointing, ...settings.endpointing },
    tools
  }))
