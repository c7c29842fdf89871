/**
 * Port of the storage for files of any size (recordings of calls, media of messages) under keys such as `recordings/org_…/call_…/rec_….wav`.
 * Whoever stores a file keeps its key and content type in a record of its own; the storage keeps only bytes.
 */
import { Context, type Effect, Schema, type Stream } from "effect"

/** Names joined by `/`. No name begins with a dot, so a key cannot lead out of a folder or name a hidden file. */
const keyPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}(\/[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}){1,7}$/

export const ObjectKey = Schema.String.check(Schema.isPattern(keyPattern)).pipe(Schema.brand("ObjectKey"))
export type ObjectKey = typeof ObjectKey.Type

/** Joins the names to a key. Throws for names that cannot be part of a key. */
export const objectKey = (...names: ReadonlyArray<string>): ObjectKey =>
  Schema.decodeUnknownSync(ObjectKey)(names.join("/"))

export interface StoredObject {
  /** Bytes. */
  readonly size: number
  /** A strong entity tag with its quotes. It changes with the content. */
  readonly etag: string
}

/** Bytes `start` to `end`, both included, as in HTTP. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** The storage has no object under this key. */
export class ObjectNotFound extends Schema.TaggedError<ObjectNotFound>()("ObjectNotFound", { key: Schema.String }) {}

/** The storage failed: it is unreachable, full, or refuses. Trying again later may help. */
export class ObjectStorageError extends Schema.TaggedError<ObjectStorageError>()("ObjectStorageError", {
  operation: Schema.Literals(["put", "find", "read", "remove"]),
  key: Schema.String,
  message: Schema.String
}) {}

export class ObjectStorage extends Context.Service<
  ObjectStorage,
  {
    /**
     * Stores `size` bytes and replaces what was under the key. Readers see either all of the new content or the content before. Fails when the
     * body fails or has another length.
     */
    readonly put: <E>(
      key: ObjectKey,
      body: Stream.Stream<Uint8Array, E>,
      options: { readonly contentType: string; readonly size: number }
    ) => Effect.Effect<void, ObjectStorageError | E>
    readonly find: (key: ObjectKey) => Effect.Effect<StoredObject, ObjectNotFound | ObjectStorageError>
    /** Streams the content, or the part of it that lies in `range`. */
    readonly read: (key: ObjectKey, range?: ByteRange) => Stream.Stream<Uint8Array, ObjectNotFound | ObjectStorageError>
    /** Removes the object. Succeeds when there is none. */
    readonly remove: (key: ObjectKey) => Effect.Effect<void, ObjectStorageError>
  }
>()("parley/domain/ObjectStorage") {}
