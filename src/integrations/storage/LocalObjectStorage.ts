/**
 * Objects as files below a folder, named by their keys. A file is first written to a draft, synced and then renamed, so that neither a reader nor a
 * crash sees half of it. It works on one machine; app and engine on different machines need `S3ObjectStorage`.
 */
import { createReadStream } from "node:fs"
import { mkdir, open, rename, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Clock, Effect, Layer, Schema, Stream } from "effect"
import { messageOf } from "../../domain/basics/ErrorMessage.ts"
import { newId } from "../../domain/basics/Ids.ts"
import { ObjectKey, ObjectNotFound, ObjectStorage, ObjectStorageError } from "../../domain/basics/ObjectStorage.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { sweepDrafts } from "./Drafts.ts"
import { exactSize } from "./ExactSize.ts"
import { hasCode } from "./FileErrors.ts"

export interface LocalObjectStorageOptions {
  readonly folder: string
}

/** No key begins with a dot, so no object is in this folder. */
const drafts = ".drafts"

export const layer = ({ folder }: LocalObjectStorageOptions): Layer.Layer<ObjectStorage> =>
  Layer.effect(
    ObjectStorage,
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      yield* sweepDrafts(join(folder, drafts), now)

      /** The type says that a key is well-formed; this check also catches casts. */
      const fileOf = (key: ObjectKey) => {
        if (!Schema.is(ObjectKey)(key)) throw new Error("not a key of the object storage")
        return join(folder, key)
      }
      const trouble = (operation: ObjectStorageError["operation"], key: ObjectKey) => (cause: unknown) =>
        new ObjectStorageError({ operation, key, message: messageOf(cause) })
      const missingOr = (operation: ObjectStorageError["operation"], key: ObjectKey) => (cause: unknown) =>
        hasCode(cause, "ENOENT", "ENOTDIR") ? new ObjectNotFound({ key }) : trouble(operation, key)(cause)

      return ObjectStorage.of({
        put: traced("ObjectStorage.put")(function* (key, body, { size }) {
          const attempt = <A>(run: () => Promise<A>) => Effect.tryPromise({ try: run, catch: trouble("put", key) })
          const file = fileOf(key)
          const draft = join(folder, drafts, newId("req"))
          const wrongSize = (bytes: number) => trouble("put", key)(`${bytes} bytes came instead of ${size}`)
          yield* attempt(() =>
            Promise.all([mkdir(dirname(file), { recursive: true }), mkdir(dirname(draft), { recursive: true })])
          )
          const writeDraft = Effect.acquireUseRelease(
            attempt(() => open(draft, "wx")),
            (handle) =>
              Stream.runForEach(exactSize(size, wrongSize)(body), (chunk) =>
                attempt(() => handle.writeFile(chunk))
              ).pipe(Effect.andThen(attempt(() => handle.sync()))),
            (handle) => Effect.promise(() => handle.close())
          )
          yield* writeDraft.pipe(
            Effect.andThen(attempt(() => rename(draft, file))),
            Effect.onError(() => Effect.ignore(attempt(() => rm(draft, { force: true }))))
          )
        }),

        find: traced("ObjectStorage.find")(function* (key) {
          const file = fileOf(key)
          const found = yield* Effect.tryPromise({ try: () => stat(file), catch: missingOr("find", key) })
          if (!found.isFile()) return yield* new ObjectNotFound({ key })
          // A file is never changed in place, so time and size tell contents apart.
          return { size: found.size, etag: `"${found.size.toString(16)}-${Math.round(found.mtimeMs).toString(16)}"` }
        }),

        read: (key, range) =>
          Stream.suspend(() =>
            Stream.fromAsyncIterable<Uint8Array, ObjectNotFound | ObjectStorageError>(
              createReadStream(fileOf(key), range),
              missingOr("read", key)
            )
          ),

        remove: traced("ObjectStorage.remove")((key) =>
          Effect.tryPromise({ try: () => rm(fileOf(key), { force: true }), catch: trouble("remove", key) })
        )
      })
    })
  )
