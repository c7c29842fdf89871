/**
 * Files of any size under keys such as `recordings/org_…/call_…/rec_….wav`: recordings of calls, media of messages. Whoever stores one
 * keeps its key and content type in its own record; the storage knows bytes.
 */
import { Context, type Effect, Schema, type Stream } from "effect"

/** Names joined by `/`, none of which begins with a dot: a key cannot lead out of a folder, nor name a hidden file. */
const keyPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}(\/[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}){1,7}$/

export const ObjectKey = Schema.String.check(Schema.isPattern(keyPattern)).pipe(Schema.brand("ObjectKey"))
export type ObjectKey = typeof ObjectKey.Type

/** Throws for names that cannot be part of a key. */
export const objectKey = (...names: ReadonlyArray<string>): ObjectKey =>
  Schema.decodeUnknownSync(ObjectKey)(names.join("/"))

export interface StoredObject {
  readonly size: number
  /** Changes with the content; a strong entity tag, with its quotes. */
  readonly etag: string
}

/** Bytes `start` to `end`, both included, as in HTTP. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** There is nothing under this key. */
export class ObjectNotFound extends Schema.TaggedError<ObjectNotFound>()("ObjectNotFound", { key: Schema.String }) {}

/** The storage did not do it: out of reach, full, or refusing. Trying again later may help. */
export class ObjectStorageError extends Schema.TaggedError<ObjectStorageError>()("ObjectStorageError", {
  operation: Schema.Literals(["put", "find", "read", "remove"]),
  key: Schema.String,
  message: Schema.String
}) {}

export class ObjectStorage extends Context.Service<
  ObjectStorage,
  {
    /**
     * Stores `size` bytes; what was under the key is replaced. Readers see all of it or what was there before. A body of another length
     * is an error, as is one that fails.
     */
    readonly put: <E>(
      key: ObjectKey,
      body: Stream.Stream<Uint8Array, E>,
      options: { readonly contentType: string; readonly size: number }
    ) => Effect.Effect<void, ObjectStorageError | E>
    readonly find: (key: ObjectKey) => Effect.Effect<StoredObject, ObjectNotFound | ObjectStorageError>
    /** The content, or the part of it that lies in `range`, as it is asked for. */
    readonly read: (key: ObjectKey, range?: ByteRange) => Stream.Stream<Uint8Array, ObjectNotFound | ObjectStorageError>
    /** Removing what is not there succeeds. */
    readonly remove: (key: ObjectKey) => Effect.Effect<void, ObjectStorageError>
  }
>()("parley/domain/ObjectStorage") {}
