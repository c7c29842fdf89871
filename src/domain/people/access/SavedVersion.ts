/** The versions of a record: its settings at each save, who saved them, and what was changed. The newest 50 of each record are kept. */
import { type Effect, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import type { Page } from "../../basics/Listing.ts"
import { Actor } from "./Audit.ts"

export const mostVersions = 50

const SavedVersion = Schema.Struct({
  /** From 1; a restored version is a new one. */
  version: Schema.Int,
  name: Schema.String,
  savedAt: Schema.String,
  savedBy: Actor,
  /** The settings that differ from the version before; all of them in the first one. */
  changed: Schema.Array(Schema.String)
})
export type SavedVersion = typeof SavedVersion.Type

/** The schema of the versions of one kind of record. `name`: of a record in its example. */
export const savedVersion = (title: string, name: string) =>
  SavedVersion.annotate({
    title,
    examples: [
      {
        version: 3,
        name,
        savedAt: "2026-11-21T09:30:00.000Z",
        savedBy: { type: "user", id: exampleIds.owner },
        changed: ["systemPrompt"]
      }
    ]
  })

/** Port of the stored versions. Whoever stores the records writes them, in the transaction of the save. */
export interface SavedVersions<Settings> {
  /** Newest first. */
  readonly list: (
    organizationId: string,
    recordId: string,
    page: number,
    limit: number
  ) => Effect.Effect<Page<SavedVersion>>
  /** The settings of a version, with its secrets. */
  readonly find: (
    organizationId: string,
    recordId: string,
    version: number
  ) => Effect.Effect<{ readonly version: SavedVersion; readonly settings: Settings } | undefined>
}
