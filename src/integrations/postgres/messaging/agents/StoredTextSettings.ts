/** The settings of a text agent as its row, and each row of its versions, has them. */
import { textAgentDefaults } from "../../../../domain/messaging/agents/TextAgent.ts"
import { type StoredSettings, settingsOpener } from "../../tenancy/StoredSettings.ts"

export type StoredTextSettings = StoredSettings<"limits">

export const openTextSettings = settingsOpener("text_agents", textAgentDefaults, "limits")
