/** The names behind ids: of people and agents, those too who have left. Conversations, messages and notes name their authors by id. */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import type { Page } from "../../basics/Listing.ts"

export const DirectoryEntry = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  kind: Schema.Literals(["person", "text_agent", "voice_agent"]),
  /** False for people who have left, or have not accepted their invitation. */
  active: Schema.Boolean
}).annotate({
  title: "DirectoryEntry",
  examples: [{ id: exampleIds.colleague, name: "Ben Ortiz", kind: "person", active: true }]
})
export type DirectoryEntry = typeof DirectoryEntry.Type

export class Directory extends Context.Service<
  Directory,
  {
    /** By name. */
    readonly list: (organizationId: string, page: number, limit: number) => Effect.Effect<Page<DirectoryEntry>>
    /** `undefined`: nobody has this id, or not any more. */
    readonly nameOf: (organizationId: string, id: string) => Effect.Effect<string | undefined>
  }
>()("parley/domain/Directory") {}
