/** The versions of text agents in Postgres. The headers of their tools are encrypted as those of agents are. */
import { Effect, Layer, Schema } from "effect"
import { TextAgentSettings } from "../../../../domain/messaging/agents/TextAgent.ts"
import { TextAgentVersions } from "../../../../domain/messaging/agents/TextAgentVersion.ts"
import { KeyRing } from "../../../secrets/KeyRing.ts"
import { makeVersions, type VersionRow } from "../../tenancy/SavedVersions.ts"
import { openTextSettings, type StoredTextSettings } from "./StoredTextSettings.ts"

const decodeSettings = Schema.decodeUnknownEffect(TextAgentSettings)

export const layer = Layer.effect(
  TextAgentVersions,
  Effect.gen(function* () {
    const ring = yield* KeyRing
    const open = ({ organizationId, settings, name }: VersionRow<StoredTextSettings>) =>
      Effect.flatMap(openTextSettings(ring, organizationId, settings), (opened) => decodeSettings({ ...opened, name }))
    return TextAgentVersions.of(yield* makeVersions("TextAgentVersions", "text_agent_versions", open))
  })
)
