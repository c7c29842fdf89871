/** The versions of a voice agent: its settings at each save, who saved them, and what was changed. The newest 50 of each agent are kept. */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import type { Page } from "../../basics/Listing.ts"
import { Actor } from "../../people/access/Audit.ts"
import type { VoiceAgentSettings } from "./VoiceAgent.ts"

export const mostVersions = 50

export const AgentVersion = Schema.Struct({
  /** From 1; a restored version is a new one. */
  version: Schema.Int,
  name: Schema.String,
  savedAt: Schema.String,
  savedBy: Actor,
  /** The settings that differ from the version before; all of them in the first one. */
  changed: Schema.Array(Schema.String)
}).annotate({
  title: "VoiceAgentVersion",
  examples: [
    {
      version: 3,
      name: "Front desk",
      savedAt: "2026-11-21T09:30:00.000Z",
      savedBy: { type: "user", id: exampleIds.owner },
      changed: ["systemPrompt"]
    }
  ]
})
export type AgentVersion = typeof AgentVersion.Type

/** Port of the stored versions. `VoiceAgents` writes them, in the transaction of the save. */
export class AgentVersions extends Context.Service<
  AgentVersions,
  {
    /** Newest first. */
    readonly list: (
      organizationId: string,
      agentId: string,
      page: number,
      limit: number
    ) => Effect.Effect<Page<AgentVersion>>
    /** The settings of a version, with its secrets. */
    readonly find: (
      organizationId: string,
      agentId: string,
      version: number
    ) => Effect.Effect<{ readonly version: AgentVersion; readonly settings: VoiceAgentSettings } | undefined>
  }
>()("parley/domain/AgentVersions") {}
