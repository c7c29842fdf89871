/**
 * Files of messages: pictures, documents, audio and video. An organization's file is stored once, however often it comes: the same bytes are the
 * same media. The content of a file decides its type.
 */
import { Context, type Effect, Schema, type Stream } from "effect"
import type { Listed, Part } from "../../basics/Listing.ts"
import { type ByteRange, objectKey } from "../../basics/ObjectStorage.ts"

export const MediaKind = Schema.Literals(["image", "document", "audio", "video"])
export type MediaKind = typeof MediaKind.Type

export const Media = Schema.Struct({
  /** `med_…` */
  id: Schema.String,
  organizationId: Schema.String,
  kind: MediaKind,
  mimeType: Schema.String,
  sizeBytes: Schema.Int,
  /** SHA-256 of the content, in hexadecimal. */
  sha256: Schema.String,
  /** The sender's name for the file, made safe; null when there is none. */
  filename: Schema.NullOr(Schema.String),
  createdAt: Schema.String
})
export type Media = typeof Media.Type

/** The size limit of a file: 16 MB. */
export const largestMediaBytes = 16 * 1024 * 1024

/** The storage key of a file. Throws for ids that cannot be part of a key. */
export const mediaKey = (organizationId: string, mediaId: string) => objectKey("media", organizationId, mediaId)

/** The file is not accepted; `message` is a sentence for people. */
export class MediaRefused extends Schema.TaggedError<MediaRefused>()("MediaRefused", {
  reason: Schema.Literals(["empty", "too_large", "unsupported", "unreadable"]),
  message: Schema.String
}) {}

/** The organization has no such media. */
export class MediaNotFound extends Schema.TaggedError<MediaNotFound>()("MediaNotFound", { mediaId: Schema.String }) {}

/** The disk or the storage failed; trying again later may help. */
export class MediaUnavailable extends Schema.TaggedError<MediaUnavailable>()("MediaUnavailable", {
  message: Schema.String
}) {}

/**
 * Where a file comes from. `upload`: a client of ours; its file must have a type that can be sent. `channel`: a contact; a file of any type is
 * stored.
 */
export type MediaSource = "upload" | "channel"

export interface NewMedia<E = never> {
  readonly bytes: Stream.Stream<Uint8Array, E>
  readonly filename?: string | undefined
  readonly source: MediaSource
  /** The media type that the sender names. It counts only for a file from the `channel`, and only when the content does not tell the type. */
  readonly claimedType?: string | undefined
}

/** Conditions on files. An absent field is no condition. */
export interface MediaFilter {
  readonly kind?: MediaKind | undefined
  /** Stored first at this instant or later, and before that one, Unix milliseconds. */
  readonly since?: number | undefined
  readonly before?: number | undefined
}

/** A message with this file waits to be sent. */
export class MediaWaiting extends Schema.TaggedError<MediaWaiting>()("MediaWaiting", { mediaId: Schema.String }) {}

/** Port of the stored files: records and contents together. */
export class MediaFiles extends Context.Service<
  MediaFiles,
  {
    /**
     * Stores a file of at most `largestMediaBytes`. It streams the bytes and never holds the whole file in memory. When the bytes fail or the effect
     * is interrupted, nothing remains stored.
     */
    readonly store: <E>(
      organizationId: string,
      file: NewMedia<E>
    ) => Effect.Effect<Media, MediaRefused | MediaUnavailable | E>
    readonly find: (organizationId: string, mediaId: string) => Effect.Effect<Media | undefined>
    readonly list: (organizationId: string, filter: MediaFilter, part: Part) => Effect.Effect<Listed<Media>>
    /** Streams the content, or the part of it that lies in `range`. */
    readonly open: (
      organizationId: string,
      mediaId: string,
      range?: ByteRange
    ) => Stream.Stream<Uint8Array, MediaNotFound | MediaUnavailable>
    /**
     * Hides a file, so that `finishRemovals` can remove its content; false when there is no such media. Messages that were sent with it stay without
     * it.
     */
    readonly hide: (organizationId: string, mediaId: string) => Effect.Effect<boolean, MediaWaiting>
    /**
     * Hides those of the given media that no message refers to, so that `finishRemovals` can remove their contents; gives their ids.
     */
    readonly removeUnused: (
      organizationId: string,
      mediaIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>>
    /** Removes the contents of hidden files, each by itself; what cannot be removed now remains for `settle`. */
    readonly finishRemovals: (organizationId: string, mediaIds: ReadonlyArray<string>) => Effect.Effect<void>
    /** Removes the remains of uploads and removals, in all organizations, that stopped unfinished at least an hour ago; gives how many. */
    readonly settle: Effect.Effect<number>
  }
>()("parley/domain/MediaFiles") {}
