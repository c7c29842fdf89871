/** The versions of a text agent. */
import { Context } from "effect"
import { type SavedVersions, savedVersion } from "../../people/access/SavedVersion.ts"
import type { TextAgentSettings } from "./TextAgent.ts"

export const TextAgentVersion = savedVersion("TextAgentVersion", "Shop assistant")

/** Port of the stored versions. `TextAgents` writes them. */
export class TextAgentVersions extends Context.Service<TextAgentVersions, SavedVersions<TextAgentSettings>>()(
  "parley/domain/TextAgentVersions"
) {}
