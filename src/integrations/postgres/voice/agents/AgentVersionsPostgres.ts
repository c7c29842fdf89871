/** The versions of voice agents in Postgres. The headers of their tools are encrypted as those of agents are. */
import { Effect, Layer, Schema } from "effect"
import { AgentVersions } from "../../../../domain/voice/agents/AgentVersion.ts"
import { VoiceAgentSettings } from "../../../../domain/voice/agents/VoiceAgent.ts"
import { KeyRing } from "../../../secrets/KeyRing.ts"
import { makeVersions, type VersionRow } from "../../tenancy/SavedVersions.ts"
import { openVoiceSettings, type StoredVoiceSettings } from "./StoredVoiceSettings.ts"

const decodeSettings = Schema.decodeUnknownEffect(VoiceAgentSettings)

export const layer = Layer.effect(
  AgentVersions,
  Effect.gen(function* () {
    const ring = yield* KeyRing
    const open = ({ organizationId, settings, name }: VersionRow<StoredVoiceSettings>) =>
      Effect.flatMap(openVoiceSettings(ring, organizationId, settings), (opened) => decodeSettings({ ...opened, name }))
    return AgentVersions.of(yield* makeVersions("AgentVersions", "voice_agent_versions", open))
  })
)
