/** The settings of an agent as its row, and each row of its versions, has them: the headers of tools are encrypted. */
import { Effect } from "effect"
import type { KeyRing } from "../../secrets/KeyRing.ts"
import { type AgentTable, openTools, type StoredTool } from "../../secrets/SealedTools.ts"

/** `Group`: a setting that has fields with defaults of their own. */
export type StoredSettings<Group extends string> = { readonly tools?: ReadonlyArray<StoredTool> } & {
  readonly [Name in Group]?: object
}

/**
 * Gives what opens the settings of one kind of agent: with their secrets, not yet checked. Those that were introduced after the row was written get
 * their defaults.
 */
export const settingsOpener =
  <Group extends string, Defaults extends { readonly [Name in Group]: object }>(
    table: AgentTable,
    defaults: Defaults,
    group: Group
  ) =>
  (ring: KeyRing["Service"], organizationId: string, settings: StoredSettings<Group>) =>
    Effect.map(openTools(ring, table, organizationId, settings.tools ?? []), (tools) => ({
      ...defaults,
      ...settings,
      [group]: { ...defaults[group], ...settings[group] },
      tools
    }))
