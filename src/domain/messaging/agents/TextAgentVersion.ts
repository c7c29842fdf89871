/** The versions of a text agent: its settings at each save, who saved them, and what was changed. As many are kept as of a voice agent. */
import { Context, type Effect, Schema } from "effect"
import { exampleOf } from "../../basics/Examples.ts"
import type { Page } from "../../basics/Listing.ts"
import { AgentVersion } from "../../voice/agents/AgentVersion.ts"
import type { TextAgentSettings } from "./TextAgent.ts"

export const TextAgentVersion = Schema.Struct(AgentVersion.fields).annotate({
  title: "TextAgentVersion",
  examples: [{ ...exampleOf(AgentVersion), name: "Shop assistant" }]
})
export type TextAgentVersion = typeof TextAgentVersion.Type

/** Port of the stored versions. `TextAgents` writes them, in the transaction of the save. */
export class TextAgentVersions extends Context.Service<
  TextAgentVersions,
  {
    /** Newest first. */
    readonly list: (
      organizationId: string,
      agentId: string,
      page: number,
      limit: number
    ) => Effect.Effect<Page<TextAgentVersion>>
    /** The settings of a version, with its secrets. */
    readonly find: (
      organizationId: string,
      agentId: string,
      version: number
    ) => Effect.Effect<{ readonly version: TextAgentVersion; readonly settings: TextAgentSettings } | undefined>
  }
>()("parley/domain/TextAgentVersions") {}
