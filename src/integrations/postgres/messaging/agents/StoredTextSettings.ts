/** The settings of a text agent as its row, and each row of its versions, has them: the headers of tools are encrypted. */
import { Effect } from "effect"
import { textAgentDefaults } from "../../../../domain/messaging/agents/TextAgent.ts"
import type { KeyRing } from "../../../secrets/KeyRing.ts"
import { openTools, type StoredTool } from "../../../secrets/SealedTools.ts"

export interface StoredTextSettings {
  readonly tools?: ReadonlyArray<StoredTool>
  readonly limits?: object
}

/** The settings with their secrets, not yet checked. Those that were introduced after the row was written get their defaults. */
export const openTextSettings = (ring: KeyRing["Service"], organizationId: string, settings: StoredTextSettings) =>
  Effect.map(openTools(ring, "text_agents", organizationId, settings.tools ?? []), (tools) => ({
    ...textAgentDefaults,
    ...settings,
    limits: { ...textAgentDefaults.limits, ...settings.limits },
    tools
  }))
