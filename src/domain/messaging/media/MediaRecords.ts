/** Port for the records of stored files, without their content. Only the implementation of `MediaFiles` uses it. */
import { Context, type Effect } from "effect"
import type { Listed, Part } from "../../basics/Listing.ts"
import type { Media, MediaFilter } from "./Media.ts"

export interface MediaRecordKey {
  readonly organizationId: string
  readonly mediaId: string
}

/**
 * A record is `pending` until its content is stored, then `stored`; it is `removing` from the decision to remove it until its content is removed.
 * Readers see only `stored` records. Each content has at most one record that is not `removing`; a second upload of the same content shares it.
 */
export class MediaRecords extends Context.Service<
  MediaRecords,
  {
    /** The record of this content: an existing one, with its time renewed, or a new `pending` one. `stored`: whether the content is stored. */
    readonly claim: (
      file: Omit<Media, "id" | "createdAt">
    ) => Effect.Effect<{ readonly media: Media; readonly stored: boolean }>
    /** Marks the content as stored. `undefined` when the record was removed meanwhile: then the caller must remove the content. */
    readonly confirm: (key: MediaRecordKey) => Effect.Effect<Media | undefined>
    readonly find: (key: MediaRecordKey) => Effect.Effect<Media | undefined>
    /** The `stored` records that match, newest first. */
    readonly list: (organizationId: string, filter: MediaFilter, part: Part) => Effect.Effect<Listed<Media>>
    /**
     * Turns the `stored` records among these into `removing`; with `unlessUsed` only those that no message refers to, with `unlessWaiting` those that
     * no message refers to which waits to be sent. Gives their ids.
     */
    readonly beginRemovals: (
      organizationId: string,
      mediaIds: ReadonlyArray<string>,
      options?: { readonly unlessUsed?: boolean; readonly unlessWaiting?: boolean }
    ) => Effect.Effect<ReadonlyArray<string>>
    /** Deletes a record that is `removing`. */
    readonly removed: (key: MediaRecordKey) => Effect.Effect<void>
    /** Turns at most `most` records that have been `pending` or `removing` since before `before` into `removing`, and gives them. */
    readonly unsettled: (before: Date, most: number) => Effect.Effect<ReadonlyArray<MediaRecordKey>>
  }
>()("parley/domain/MediaRecords") {}
