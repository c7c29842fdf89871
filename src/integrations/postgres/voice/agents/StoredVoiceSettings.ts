/** The settings of a voice agent as its row, and each row of its versions, has them. */
import { voiceAgentDefaults } from "../../../../domain/voice/agents/VoiceAgent.ts"
import { type StoredSettings, settingsOpener } from "../../tenancy/StoredSettings.ts"

export type StoredVoiceSettings = StoredSettings<"endpointing">

export const openVoiceSettings = settingsOpener("voice_agents", voiceAgentDefaults, "endpointing")
