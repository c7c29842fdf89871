/** What is known of stored files, apart from their content. Port of `MediaFiles`' implementation; nobody else needs it. */
import { Context, type Effect } from "effect"
import type { Media } from "./Media.ts"

export interface MediaRecordKey {
  readonly organizationId: string
  readonly mediaId: string
}

/**
 * A record is `pending` until its content is stored, then `stored`, and `removing` from the moment it is to go until its content has gone.
 * Only `stored` ones are seen. There is one record of a content that is not `removing`, so whoever brings it meanwhile shares it.
 */
export class MediaRecords extends Context.Service<
  MediaRecords,
  {
    /** The record of this content: the one there is, as if it were stored just now, or a new `pending` one. `stored` says which. */
    readonly claim: (
      file: Omit<Media, "id" | "createdAt">
    ) => Effect.Effect<{ readonly media: Media; readonly stored: boolean }>
    /** The content is there. `undefined` when the record has gone meanwhile: then the content has to go, too. */
    readonly confirm: (key: MediaRecordKey) => Effect.Effect<Media | undefined>
    readonly find: (key: MediaRecordKey) => Effect.Effect<Media | undefined>
    /** Makes the `stored` ones among these `removing`, with `unlessUsed` only those that no message refers to; gives their ids. */
    readonly beginRemovals: (
      organizationId: string,
      mediaIds: ReadonlyArray<string>,
      options?: { readonly unlessUsed?: boolean }
    ) => Effect.Effect<ReadonlyArray<string>>
    /** Deletes a record that is `removing`. */
    readonly removed: (key: MediaRecordKey) => Effect.Effect<void>
    /** Records that have been `pending` or `removing` since before this time, at most so many: now `removing`, all of them. */
    readonly unsettled: (before: Date, most: number) => Effect.Effect<ReadonlyArray<MediaRecordKey>>
  }
>()("parley/domain/MediaRecords") {}
