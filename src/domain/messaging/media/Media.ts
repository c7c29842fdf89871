/**
 * Files of messages: pictures, documents, sound and video. An organization's file is stored once, however often it comes: the same bytes are
 * the same media. What a file is says its content, never whoever sent it.
 */
import { Context, type Effect, Schema, type Stream } from "effect"
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
  /** Of the content, in hexadecimal. */
  sha256: Schema.String,
  /** As it was called where it came from, made harmless. */
  filename: Schema.NullOr(Schema.String),
  createdAt: Schema.String
})
export type Media = typeof Media.Type

/** 16 MB. */
export const largestMediaBytes = 16 * 1024 * 1024

/** Throws for ids that cannot be part of a key. */
export const mediaKey = (organizationId: string, mediaId: string) => objectKey("media", organizationId, mediaId)

/** The file is not one that is taken; the sentence is for people. */
export class MediaRefused extends Schema.TaggedError<MediaRefused>()("MediaRefused", {
  reason: Schema.Literals(["empty", "too_large", "unsupported", "unreadable"]),
  message: Schema.String
}) {}

/** There is no such media, or it is another organization's. */
export class MediaNotFound extends Schema.TaggedError<MediaNotFound>()("MediaNotFound", { mediaId: Schema.String }) {}

/** Disk or storage did not do it; trying again later may help. */
export class MediaUnavailable extends Schema.TaggedError<MediaUnavailable>()("MediaUnavailable", {
  message: Schema.String
}) {}

/**
 * Where a file comes from: `upload`, a client of ours, whose file must be of a kind that can be sent; or `channel`, a contact, whose file is
 * kept as what it is.
 */
export type MediaSource = "upload" | "channel"

export interface NewMedia<E = never> {
  readonly bytes: Stream.Stream<Uint8Array, E>
  readonly filename?: string | undefined
  readonly source: MediaSource
  /** What the sender says it is: believed of a `channel`'s file only, and only when its content does not tell. */
  readonly claimedType?: string | undefined
}

export class MediaFiles extends Context.Service<
  MediaFiles,
  {
    /**
     * Stores a file of at most `largestMediaBytes`, read as it comes and never held in memory whole. What fails the bytes, or interrupts this,
     * leaves nothing behind.
     */
    readonly store: <E>(
      organizationId: string,
      file: NewMedia<E>
    ) => Effect.Effect<Media, MediaRefused | MediaUnavailable | E>
    readonly find: (organizationId: string, mediaId: string) => Effect.Effect<Media | undefined>
    /** The content, or the part of it that lies in `range`, as it is asked for. */
    readonly open: (
      organizationId: string,
      mediaId: string,
      range?: ByteRange
    ) => Stream.Stream<Uint8Array, MediaNotFound | MediaUnavailable>
    /**
     * Removes record and content; false when there is none. A crash in between, or a storage that is away, leaves a record nobody sees, and the
     * rest is done by `settle`.
     */
    readonly remove: (organizationId: string, mediaId: string) => Effect.Effect<boolean, MediaUnavailable>
    /**
     * Those among these that no message refers to are seen by nobody any more, and their contents are removed (`finishRemovals`); gives the ids.
     */
    readonly removeUnused: (
      organizationId: string,
      mediaIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>>
    /** Contents of files that nobody sees any more are removed, each by itself; what cannot be removed now is left to `settle`. */
    readonly finishRemovals: (organizationId: string, mediaIds: ReadonlyArray<string>) => Effect.Effect<void>
    /** Removes what uploads and removals left that were cut off an hour ago or longer, of every organization; gives how many. */
    readonly settle: Effect.Effect<number>
  }
>()("parley/domain/MediaFiles") {}
