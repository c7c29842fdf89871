/**
 * What the records of providers do to ours. There is one absorber for each subject; it lives with the tables that it changes, and takes one record in one
 * transaction of its own. It may see a record again, and must then change nothing.
 */
import { Context, type Effect } from "effect"
import type { StoredConnection } from "./AppConnection.ts"
import type { AppRecordTag, AppRecordTags, RemovedRecord } from "./AppRecord.ts"

/** A sentence for the log of the connection: which of two changes was not taken, and why. */
export interface AbsorbNote {
  readonly contactId: string | null
  readonly text: string
}

export type Absorb<Tag extends AppRecordTag> = (
  from: StoredConnection,
  record: AppRecordTags[Tag] | RemovedRecord,
  now: number
) => Effect.Effect<ReadonlyArray<AbsorbNote>>

/** The absorber of each subject. Records of a subject without one change nothing. */
export class AppAbsorbers extends Context.Service<AppAbsorbers, { readonly [Tag in AppRecordTag]?: Absorb<Tag> }>()(
  "parley/domain/AppAbsorbers"
) {}
